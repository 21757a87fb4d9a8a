"""Tests of diplomacy."""
