"""Renders an audit as text, JSON, HTML and Markdown."""
