"""The tools over the Model Context Protocol, with its official SDK (extra ``mcp``).

``server`` turns the tools into a server; ``stdio`` and ``http`` run it.
"""
