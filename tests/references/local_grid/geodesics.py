"""Points in a direction and at a distance, by geographiclib: towns, poles, the antimeridian, up to 100 km."""

import json
import pathlib
import random

from geographiclib.geodesic import Geodesic

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/local_grid/fixtures/geodesics.json"
chance = random.Random(20)
PLACES = [
    (51.5074, -0.1278), (-33.8688, 151.2093), (0.0, 0.0), (64.1466, -21.9426), (-54.8019, -68.303), (1.3521, 103.8198),
    # Fiji, Chukotka and a point on the antimeridian itself; near and at the poles.
    (-17.7134, 179.9995), (66.5, -179.99), (10.0, 180.0), (89.95, 10.0), (90.0, 0.0), (-89.999, -120.0), (-90.0, 0.0),
]
cases = []
for place in PLACES + [(round(chance.uniform(-88, 88), 6), round(chance.uniform(-180, 180), 6)) for _ in range(20)]:
    for _ in range(16):
        bearing, metres = round(chance.uniform(0, 360), 4), round(chance.choice([1e3, 1e4, 1e5]) * chance.random(), 3)
        to = Geodesic.WGS84.Direct(*place, bearing, metres)
        cases.append({"from": place, "bearing": bearing, "metres": metres, "to": [to["lat2"], to["lon2"]]})
OUT.write_text(json.dumps({"geographiclib": "2.1", "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), "cases", OUT.stat().st_size, "bytes")
