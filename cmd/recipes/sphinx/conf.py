project = "Docs"
# Defines <sixways-sim> on every page.
html_js_files = [("https://sim.example/sixways/embed.js", {"defer": "defer"})]
