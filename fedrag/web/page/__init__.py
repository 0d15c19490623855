"""The page for people: ask, see what was understood and found, and check every claim.

``request`` reads its address, ``views`` prepares what is shown, ``drawing``, ``geometry`` and
``layout`` make the graphs, ``render`` fills the templates, ``routes`` serves it all (``unfolding``
what takes long). It works without a script; with one (``assets/page.js``) it shows progress, cards,
zoom and filters.
"""

from fedrag.web.page.routes import page_routes

__all__ = ["page_routes"]
