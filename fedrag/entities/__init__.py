"""Mentions in a question to identifiers: Name Resolver, then Node Normalizer; ambiguity is data."""

from fedrag.entities.mentions import Mention, find_mentions
from fedrag.entities.normalize import Normalizer
from fedrag.entities.resolve import Resolution, Unresolved, resolve

__all__ = ["Mention", "Normalizer", "Resolution", "Unresolved", "find_mentions", "resolve"]
