"""Syntax trees that several tests look at: each node of the whole package, once for all of them."""

from __future__ import annotations

from functools import cache

from pbem.engine.linting import syntax

children = syntax.children
nodes = cache(syntax.nodes)
