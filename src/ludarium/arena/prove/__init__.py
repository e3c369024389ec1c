"""What results prove: rates, comparisons, ratings, fairness, and how many matches it takes."""
