"""The site over HTTP: the application, its middleware, documents, files and cached responses."""
