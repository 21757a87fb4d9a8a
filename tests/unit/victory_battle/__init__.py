"""Battles, air response, attrition, victory check and production of `victory`, beyond the worked examples."""
