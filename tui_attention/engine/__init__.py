"""Numbers and where they come from: tensors, operations, formulas, workings. Depends on numpy only."""
