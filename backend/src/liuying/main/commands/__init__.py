"""The operator's commands, one module a noun. Options and wording stand here, the work elsewhere."""
