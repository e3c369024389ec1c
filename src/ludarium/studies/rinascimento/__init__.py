"""The study of Rinascimento: planners that sample their actions."""
