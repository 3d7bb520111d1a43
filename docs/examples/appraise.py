#!/usr/bin/env python3
"""Finds devices, prices one and appraises it, with nothing but Python's standard library.

SERVICE_URL=http://127.0.0.1:3000 SERVICE_KEY=pk_paid_... python3 appraise.py "iphone 13 128gb midnight"
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ["SERVICE_URL"].rstrip("/")
KEY = os.environ["SERVICE_KEY"]
ATTEMPTS = 4


class Refused(Exception):
    def __init__(self, status, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.status, self.code, self.details = status, error["code"], error.get("details", [])


def call(path, query=None, body=None):
    """One answer of the service; 429 and 503 are waited for as long as the service says."""
    address = URL + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    sent = None
    if body is not None:
        sent = json.dumps(body).encode()
        # The same key over all attempts: what was lost on the way is not done twice.
        headers |= {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, sent, headers), timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code in (429, 503) and attempt < ATTEMPTS:
                time.sleep(float(refused.headers.get("Retry-After", 2**attempt)))
                continue
            raise Refused(refused.code, json.load(refused)["error"]) from None


def pages(path, **query):
    """Every record of a list, page after page."""
    page = 1
    while True:
        answer = call(path, {**query, "page": page})
        yield from answer["data"]
        if not answer["meta"]["has_next"]:
            return
        page += 1


def main(text):
    match = call("/api/match", {"text": text})["data"]
    if match["decision"] != "matched" or match["variant_id"] is None:
        names = ", ".join(candidate["device_name"] for candidate in match["candidates"])
        sys.exit(f"Not sure what this is ({match['decision']}). Perhaps: {names}")
    siblings = list(pages("/api/variants", device_id=match["device_id"], limit=10))
    print(f"{match['device_name']}, {match['variant_name']} (confidence {match['confidence']}), one of {len(siblings)} variants")
    pricing = call("/api/pricing", {"variant_id": match["variant_id"]})["data"]
    good = pricing["resale"]["current"]["Good"]
    print(f"sells for {good / 100:.2f} {pricing['currency']} in grade Good ({pricing['resale']['source']})")
    appraised = call("/api/appraisals", body={"variant_id": match["variant_id"], "condition": "Good", "defects": ["cracked_back"]})
    offer = appraised["data"]["offer"]
    print(f"with a cracked back: {offer['decision']}, offer {offer['recommended_offer'] / 100:.2f}")


if __name__ == "__main__":
    try:
        main(" ".join(sys.argv[1:]) or "iphone 13 128gb midnight")
    except Refused as refused:
        sys.exit(str(refused))
