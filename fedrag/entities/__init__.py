"""Mentions in a question to identifiers: Name Resolver, then Node Normalizer; ambiguity is data."""

from fedrag.entities.by_name import MOST_NAMES, Stranger, find_by_name
from fedrag.entities.mentions import Mention, find_mentions
from fedrag.entities.normalize import Normalizer
from fedrag.entities.resolve import Resolution, Unresolved, resolve
from fedrag.entities.variant_names import VariantServices

__all__ = [
    "MOST_NAMES",
    "Mention",
    "Normalizer",
    "Resolution",
    "Stranger",
    "Unresolved",
    "VariantServices",
    "find_by_name",
    "find_mentions",
    "resolve",
]
