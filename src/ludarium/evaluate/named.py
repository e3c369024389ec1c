"""Ludii's heuristics by their names in published tables: a term, and the sign of its weight."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "Material": "material",
    "UnthreatenedMaterial": "unthreatened",
    "MobilitySimple": "mobility",
    "MobilityAdvanced": "advanced",
    "Influence": "influence",
    "InfluenceAdvanced": "influence(advanced=True)",
    "CentreProximity": "centre",
    "CornerProximity": "corners",
    "SidesProximity": "sides",
    "RegionProximity": "region",
    "PlayerRegionsProximity": "player_regions",
    "LineCompletionHeuristic": "lines",
    "OwnRegionsCount": "own_regions",
    "PlayerSiteMapCount": "site_map",
    "Score": "score",
    "ComponentValues": "values",
}
"""What we call a term of Ludii."""

LUDII: Mapping[str, str] = {
    **{
        f"{name}{sign}": term if sign == "Pos" else f"-1*{term}"
        for name, term in TERMS.items()
        for sign in ("Pos", "Neg")
    },
    "NullHeuristicPos": "null",
}
"""The 33 heuristics of Stephenson et al., "General game heuristic prediction based on ludeme descriptions" (2021)."""
