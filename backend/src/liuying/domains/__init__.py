"""One slice for each product noun. A slice imports kit, never another slice."""
