"""The DrugMechDB benchmarks: question sets, arms, scores and reports."""
