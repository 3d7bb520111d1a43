# Generated from the OpenAPI document by `npm run generate`. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypeAlias, TypedDict, cast

if TYPE_CHECKING:
    from .client import AsyncPaged, CallOptions, Paged


class Operation(TypedDict):
    """An endpoint."""

    method: str
    path: str
    takes_idempotency_key: bool
    #: Whether a repeated request does no harm even without an idempotency key.
    is_idempotent: bool


class PricingBatchRequest(TypedDict):
    """The variants to price."""

    #: 1 to 200 ids of variants. Each counts as one request against the limit.
    variant_ids: list[str]
    #: Price blocks to return.
    pricing_type: NotRequired[Literal["buyback", "resale", "both"]]
    #: Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes.
    market: NotRequired[str]
    #: Carrier lock of the device to price. A carrier-locked device sells for less.
    lock: NotRequired[Literal["unlocked", "locked"]]
    #: ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400.
    currency: NotRequired[str]


class ObservationsRequest(TypedDict):
    """Prices observed by your organization."""

    #: 1 to 1000 rows.
    observations: list[ObservationRow]


class IMEIBatchRequest(TypedDict):
    """The identifiers to assess."""

    #: 1 to 1000 identifiers. Each counts as one request against the limit.
    items: list[IMEILookupRequest]


class AppraisalPolicyOverrides(TypedDict):
    """Overrides of the organization's policy for this appraisal. Amounts are minor units of the policy's currency."""

    #: Required profit, in percent of the sale price.
    target_margin_percent: NotRequired[float]
    #: Minimum profit per device.
    min_profit: NotRequired[int]
    #: Selling fee in percent of the sale price: marketplace, payment, shipping.
    selling_fee_percent: NotRequired[float]
    #: Labour cost per hour.
    labour_per_hour: NotRequired[int]
    #: Cost per day until the sale: space, capital, insurance.
    holding_cost_per_day: NotRequired[int]
    #: Maximum probability that a deal loses money.
    max_loss_probability: NotRequired[float]
    #: Action at risk level `low`.
    action_at_low_risk: NotRequired[Literal["offer", "inspect", "reject"]]
    #: Action at risk level `medium`.
    action_at_medium_risk: NotRequired[Literal["offer", "inspect", "reject"]]
    #: Action at risk level `high`.
    action_at_high_risk: NotRequired[Literal["offer", "inspect", "reject"]]
    #: Action at risk level `critical`. Blacklisted devices are always rejected.
    action_at_critical_risk: NotRequired[Literal["offer", "inspect", "reject"]]
    #: Action if no identifier was given.
    action_without_identifier: NotRequired[Literal["offer", "inspect", "reject"]]
    #: Maximum risk points from checks that could not be made; above it the decision is `inspect`.
    max_unverified_risk_points: NotRequired[int]
    #: Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand.
    min_confidence: NotRequired[int]
    #: Offers are rounded down to a multiple of this.
    offer_rounding: NotRequired[int]


class AppraisalBatchRequest(TypedDict):
    """The devices to appraise."""

    #: 1 to 500 devices. Each counts as one request against the limit.
    items: list[AppraisalRequest]


class AppraisalPreviewRequest(TypedDict):
    """The device in hand, as for an appraisal: at least one of `lookup_id`, `variant_id`, `device_id` and `text`. Unknown fields are ignored."""

    #: A lookup of the identifier of the device.
    lookup_id: NotRequired[str]
    #: The variant, if known.
    variant_id: NotRequired[str]
    #: The device, if the variant is unknown.
    device_id: NotRequired[str]
    #: Listing title or model name; also a model number, part number or SKU. Grade, defects, lock and battery health that it states are read (`read_from_text[]`); the other fields win over it.
    text: NotRequired[str]
    #: Attributes that select the variant, such as `storage` and `color`.
    attributes: NotRequired[dict[str, str]]
    #: Cosmetic grade without the listed defects. Default: all four grades are valued and the offer is for the worst.
    condition: NotRequired[Literal["Excellent", "Good", "Fair", "Poor"]]
    #: Defect codes of `/api/meta/defects`.
    defects: NotRequired[list[Literal["cracked_screen", "cracked_back", "weak_battery", "charging_port", "camera", "speaker_or_microphone", "buttons", "biometric_sensor", "radio", "sim_reader", "headphone_jack", "keyboard_or_trackpad", "hinge", "fan", "ports", "stick_drift", "disc_drive", "storage_drive", "lens", "image_sensor", "shutter", "viewfinder", "gimbal", "motor", "image_errors", "ear_cushions", "missing_earbud", "no_power", "water_damage", "activation_locked", "carrier_locked", "missing_accessories"]]]
    policy: NotRequired[AppraisalPolicyOverrides]
    #: Your reference for the device; the history can be filtered by it.
    reference: NotRequired[str]
    #: What you agreed to pay, in minor units of the currency of the response. Stored with the appraisal; it does not change the calculation.
    agreed_offer: NotRequired[int]
    #: True to record that the device was not bought.
    declined: NotRequired[bool]
    #: Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes.
    market: NotRequired[str]
    #: Carrier lock of the device. Absent: locked if the defect `carrier_locked` is listed or a source reports it.
    lock: NotRequired[Literal["unlocked", "locked"]]
    #: ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400.
    currency: NotRequired[str]


class OutcomeRequest(TypedDict):
    """Outcome of an appraised device."""

    #: `bought`: you bought the device. `declined`: there was no deal. `sold`: you sold the device you bought.
    status: Literal["bought", "declined", "sold"]
    #: Price paid (`bought`) or received (`sold`), in minor units of `currency`. Required for both.
    price: NotRequired[int]
    #: True if the price is right although it is far from what launch price and existing prices allow. The deal is stored, and counts for prices once two others agree with it.
    confirm_amount: NotRequired[bool]
    #: ISO 4217 code of `price`. Default: the currency of the appraisal.
    currency: NotRequired[str]
    #: With `declined`: who declined, you or the customer.
    declined_by: NotRequired[Literal["shop", "customer"]]
    #: Day of the deal. Default: the day recorded earlier for this status, otherwise today in `time_zone`.
    date: NotRequired[str]
    #: Time zone of the day, such as `Europe/Vilnius`. Default: UTC.
    time_zone: NotRequired[str]
    #: Your note. Absent: the earlier note is kept; an empty text removes it.
    note: NotRequired[str]


class OutcomeBatchRequest(TypedDict):
    """The outcomes to record."""

    #: 1 to 500 outcomes, applied in this order. Each counts as one request against the limit.
    items: list[OutcomeRow]


class WatchRequest(TypedDict):
    """What to watch."""

    #: The IMEI, MEID, ESN or serial number to watch. Give this or `variant_id`.
    identifier: NotRequired[str]
    #: Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier.
    identifier_type: NotRequired[Literal["imei", "serial", "esn", "meid", "serial_number"]]
    #: The variant whose price to watch.
    variant_id: NotRequired[str]
    #: With `variant_id`: price change in percent that triggers an event; default 5.
    threshold_percent: NotRequired[int]
    #: End of the watch: a day (inclusive) or an instant. Without end if absent; for an identifier, until the service deletes old lookups (see `until` in the response).
    until: NotRequired[str]
    #: Your reference; included in every event.
    reference: NotRequired[str]


class IdentifierStatusChangedEvent(TypedDict):
    """The status of a watched identifier changed. Look it up again before you act."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["identifier.status_changed"]
    #: Time of the event.
    timestamp: str
    data: IdentifierStatusChanged


class IdentifierStatusChanged(TypedDict):
    """The status of a watched identifier changed. Look it up again before you act."""

    #: Watch that triggered the event.
    watch_id: str
    #: Your reference of the watch.
    reference: str | None
    #: Identifier as in the watch.
    identifier: str
    #: Kind of identifier.
    identifier_type: Literal["imei", "serial", "esn", "meid"]
    #: Origin: `registry` for an imported list, or the name of an outside source.
    source: str
    #: Name of the imported list, if any.
    list: str | None
    #: `listed`: now reported. `changed`: reported with another status. `cleared`: no longer reported.
    change: Literal["listed", "changed", "cleared"]
    #: Previous status; null if none.
    status_before: str | None
    #: New status; null if none.
    status_after: str | None
    #: Human-readable message.
    message: str


class PriceChangedEvent(TypedDict):
    """The resale price of a watched variant changed by at least its threshold."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["price.changed"]
    #: Time of the event.
    timestamp: str
    data: PriceChanged


class PriceChanged(TypedDict):
    """The resale price of a watched variant changed by at least its threshold."""

    #: Watch that triggered the event.
    watch_id: str
    #: Your reference of the watch.
    reference: str | None
    #: The watched variant.
    variant_id: str
    #: Watched grade.
    condition: Literal["Good"]
    #: Resale price at the last event, or when the watch was created.
    previous_price: int
    #: Current resale price.
    current_price: int
    #: From `previous_price` to `current_price`; negative if the price fell.
    change_percent: float
    #: Currency of the amounts; `USD` by default.
    currency: str


class ImportFinishedEvent(TypedDict):
    """An import of the service or of your own observations finished."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["import.finished"]
    #: Time of the event.
    timestamp: str
    data: ImportFinished


class ImportFinished(TypedDict):
    """An import of the service or of your own observations finished."""

    #: Id of the import.
    run_id: str
    #: Kind of list, such as `lists` or `observations`.
    format: str
    #: Result.
    state: Literal["done", "failed"]
    #: Counts, such as `rows` and `rejected`.
    counts: dict[str, float]


class KeyExpiringEvent(TypedDict):
    """An API key expires within a week."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["key.expiring"]
    #: Time of the event.
    timestamp: str
    data: KeyExpiring


class KeyExpiring(TypedDict):
    """An API key expires within a week."""

    #: The key.
    key_id: str
    #: Its name.
    name: str
    #: Its tier.
    tier: Literal["public", "paid", "enterprise"]
    #: Its last four characters.
    last_four: str
    #: Expiry time.
    expires_at: str


class AppraisalCreatedEvent(TypedDict):
    """An appraisal was created."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["appraisal.created"]
    #: Time of the event.
    timestamp: str
    data: AppraisalCreated


class AppraisalCreated(TypedDict):
    """An appraisal was created."""

    #: The appraisal.
    appraisal_id: str
    #: Your reference of the device.
    reference: str | None
    #: Decision.
    decision: Literal["buy", "buy_and_repair", "inspect", "reject", "identify"]
    #: Device, if identified.
    device_id: str | None


class AppraisalBoughtEvent(TypedDict):
    """An appraised device was recorded as bought."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["appraisal.bought"]
    #: Time of the event.
    timestamp: str
    data: AppraisalBought


class AppraisalBought(TypedDict):
    """An appraised device was recorded as bought."""

    #: The appraisal.
    appraisal_id: str
    #: Your reference of the device.
    reference: str | None
    #: Device, if identified.
    device_id: str | None
    #: Price paid, in minor units of `currency`.
    price: int
    #: Currency of the price.
    currency: str
    #: Day of the purchase.
    date: str
    #: Whether it replaces an outcome that was recorded earlier.
    correction: bool


class AppraisalDeclinedEvent(TypedDict):
    """An appraisal was recorded as declined."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["appraisal.declined"]
    #: Time of the event.
    timestamp: str
    data: AppraisalDeclined


class AppraisalDeclined(TypedDict):
    """An appraisal was recorded as declined."""

    #: The appraisal.
    appraisal_id: str
    #: Your reference of the device.
    reference: str | None
    #: Device, if identified.
    device_id: str | None
    #: Who declined; null if not recorded.
    declined_by: Literal["shop", "customer"] | None
    #: Day.
    date: str
    #: Whether it replaces an outcome that was recorded earlier.
    correction: bool


class AppraisalSoldEvent(TypedDict):
    """A device that was bought was recorded as sold."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["appraisal.sold"]
    #: Time of the event.
    timestamp: str
    data: AppraisalSold


class AppraisalSold(TypedDict):
    """A device that was bought was recorded as sold."""

    #: The appraisal.
    appraisal_id: str
    #: Your reference of the device.
    reference: str | None
    #: Device, if identified.
    device_id: str | None
    #: Sale price, in minor units of `currency`.
    price: int
    #: Currency of the sale price.
    currency: str
    #: Day of the sale.
    date: str
    #: Price paid, in minor units of `bought_currency`.
    bought_price: int
    #: Currency of the price paid.
    bought_currency: str
    #: Day of the purchase.
    bought_date: str
    #: Whether it replaces an outcome that was recorded earlier.
    correction: bool


class AppraisalReopenedEvent(TypedDict):
    """The outcome of an appraisal was removed; the appraisal is open again."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["appraisal.reopened"]
    #: Time of the event.
    timestamp: str
    data: AppraisalReopened


class AppraisalReopened(TypedDict):
    """The outcome of an appraisal was removed; the appraisal is open again."""

    #: The appraisal.
    appraisal_id: str
    #: Your reference of the device.
    reference: str | None
    #: Device, if identified.
    device_id: str | None


class WebhookDisabledEvent(TypedDict):
    """A webhook endpoint failed for three days and was disabled."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["webhook.disabled"]
    #: Time of the event.
    timestamp: str
    data: WebhookDisabled


class WebhookDisabled(TypedDict):
    """A webhook endpoint failed for three days and was disabled."""

    #: The endpoint.
    webhook_id: str
    #: Its address.
    url: str
    #: Reason.
    reason: str


class WebhookTestEvent(TypedDict):
    """A test event, sent on request to one endpoint whatever types it receives."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["webhook.test"]
    #: Time of the event.
    timestamp: str
    data: WebhookTest


class WebhookTest(TypedDict):
    """A test event, sent on request to one endpoint whatever types it receives."""

    #: The endpoint.
    webhook_id: str
    #: Human-readable message.
    message: str


class UsageThresholdReachedEvent(TypedDict):
    """The requests of the month reached 80 or 100 percent of the monthly quota."""

    #: Event id, the same in the list and in every delivery. Sorts by time.
    id: str
    #: Event type.
    type: Literal["usage.threshold_reached"]
    #: Time of the event.
    timestamp: str
    data: UsageThresholdReached


class UsageThresholdReached(TypedDict):
    """The requests of the month reached 80 or 100 percent of the monthly quota."""

    #: Calendar month (UTC), such as `2026-11`.
    month: str
    #: Reached share of the quota: 80 or 100.
    threshold_percent: int
    #: Quota in requests per month.
    monthly_requests: int
    #: Requests of the month so far.
    used: int
    #: Whether requests beyond the quota are rejected.
    is_hard: bool


class IMEILookupRequest(TypedDict):
    """The identifier to assess. Unknown fields are ignored."""

    #: IMEI, IMEISV, MEID, ESN or serial number, as text. Spaces, dots, dashes and slashes are ignored; the text is returned as sent.
    identifier: str
    #: Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier.
    identifier_type: NotRequired[Literal["imei", "serial", "esn", "meid", "serial_number"]]
    #: Model of the device in hand, as a device id or a title. If it names one model, later lookups recognise devices with the same type allocation code (TAC). A model that is not recognised is ignored and reported as risk factor `stated_model_unknown` (0 points).
    model: NotRequired[str]


class AppraisalRequest(TypedDict):
    """The device in hand: at least one of `identifier`, `variant_id`, `device_id` and `text`. Unknown fields are ignored."""

    #: IMEI, MEID, ESN or serial number of the device in hand. Needs the Enterprise tier.
    identifier: NotRequired[str]
    #: Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier.
    identifier_type: NotRequired[Literal["imei", "serial", "esn", "meid", "serial_number"]]
    #: The variant, if known.
    variant_id: NotRequired[str]
    #: The device, if the variant is unknown.
    device_id: NotRequired[str]
    #: Listing title or model name; also a model number, part number or SKU. Grade, defects, lock and battery health that it states are read (`read_from_text[]`); the other fields win over it.
    text: NotRequired[str]
    #: Attributes that select the variant, such as `storage` and `color`.
    attributes: NotRequired[dict[str, str]]
    #: Cosmetic grade without the listed defects. Default: all four grades are valued and the offer is for the worst.
    condition: NotRequired[Literal["Excellent", "Good", "Fair", "Poor"]]
    #: Defect codes of `/api/meta/defects`.
    defects: NotRequired[list[Literal["cracked_screen", "cracked_back", "weak_battery", "charging_port", "camera", "speaker_or_microphone", "buttons", "biometric_sensor", "radio", "sim_reader", "headphone_jack", "keyboard_or_trackpad", "hinge", "fan", "ports", "stick_drift", "disc_drive", "storage_drive", "lens", "image_sensor", "shutter", "viewfinder", "gimbal", "motor", "image_errors", "ear_cushions", "missing_earbud", "no_power", "water_damage", "activation_locked", "carrier_locked", "missing_accessories"]]]
    policy: NotRequired[AppraisalPolicyOverrides]
    #: Your reference for the device; the history can be filtered by it.
    reference: NotRequired[str]
    #: What you agreed to pay, in minor units of the currency of the response. Stored with the appraisal; it does not change the calculation.
    agreed_offer: NotRequired[int]
    #: True to record that the device was not bought.
    declined: NotRequired[bool]
    #: Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes.
    market: NotRequired[str]
    #: Carrier lock of the device. Absent: locked if the defect `carrier_locked` is listed or a source reports it.
    lock: NotRequired[Literal["unlocked", "locked"]]
    #: ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400.
    currency: NotRequired[str]


class ErrorEnvelope(TypedDict):
    """Envelope of every error. The HTTP status is that of the code."""

    #: Always false on an error.
    success: Literal[False]
    error: ErrorObject
    #: Time of the response, UTC.
    timestamp: str


class ErrorObject(TypedDict):
    """Why the request failed."""

    #: Stable machine-readable code. Use this in programs, not the message.
    code: Literal["VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "LIMIT_REACHED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]
    #: Human-readable message. Its wording may change.
    message: str
    #: On `VALIDATION_ERROR`: each invalid parameter or field.
    details: NotRequired[list[ErrorDetail]]
    #: On `NOT_FOUND` of a device or variant: the most similar existing ids.
    nearest_ids: NotRequired[list[str]]
    #: Id of the request, as in `X-Request-Id`. Quote it when reporting a problem.
    request_id: str
    #: URL of the documentation of this code.
    docs: str


class ErrorDetail(TypedDict):
    """One invalid parameter or field."""

    #: Name of the invalid parameter or body field.
    field: str
    #: The value that was sent (shortened) and what is accepted.
    message: str


class Device(TypedDict):
    """A device model with all its variants."""

    #: Device identifier; equals `slug`.
    id: str
    #: Marketing name without the make: `make.name` and `name` together name the device.
    name: str
    #: Make and name in lower case, `[a-z0-9-]`.
    slug: str
    category: Category
    make: Make
    #: The maker's model numbers, all regions.
    model_numbers: list[str]
    #: Property names and values, both as text.
    technical_specifications: dict[str, str]
    #: First day on sale. If only the month or year is known, its first day; null if unknown.
    release_date: str | None
    #: Precision of `release_date`: with `month` the day is not meaningful, with `year` the month neither.
    release_date_precision: Literal["day", "month", "year"] | None
    #: Drawing of the device, served by this service.
    thumbnail: str
    #: Whether the maker still sells it.
    status: Literal["active", "discontinued"]
    #: Identifiers reported by the device's software.
    model_identifiers: list[str]
    #: All variants in catalogue order, including disabled ones.
    variants: list[Variant]


class Category(TypedDict):
    """Kind of device."""

    #: Name of the category.
    name: str
    #: Drawing of the category.
    thumbnail: str


class Make(TypedDict):
    """Manufacturer."""

    #: Name of the manufacturer.
    name: str
    #: Drawing for the manufacturer; never a trademarked logo.
    thumbnail: str


class Variant(TypedDict):
    """One configuration of a device, such as storage and color."""

    #: Variant identifier: the device id and its attributes, `[a-z0-9-]`.
    id: str
    #: Stock keeping unit.
    sku: str
    #: Launch list price in US cents, as `price_source` says; 0 if unknown.
    price: int
    #: `list`: published US list price. `estimated`: list price of another country in US cents without its tax. `unknown`: no list price is known and `price` is 0.
    price_source: Literal["list", "estimated", "unknown"]
    #: Launch list prices by market, as published there; empty if none is known.
    list_prices: list[ListPrice]
    #: Name of the variant.
    name: str
    #: The maker's part numbers, without region suffix.
    part_numbers: list[str]
    #: The maker's model numbers of this variant.
    model_numbers: list[str]
    #: Drawing of the device.
    thumbnail: str
    #: Attributes in the order of the catalogue.
    attributes: list[Attribute]
    #: True if the variant is not for sale any more or was never sold. An unknown price does not disable it.
    disabled: bool


class ListPrice(TypedDict):
    """Launch list price in one market."""

    #: Country code in lower case, or `eu`.
    market: str
    #: Currency of the price.
    currency: str
    #: Minor units of the currency, with the tax that buyers pay there; US prices are without tax.
    amount: int


class Attribute(TypedDict):
    """An attribute of a variant."""

    #: For example `storage` or `color`.
    attribute_name: str
    #: For example `128GB` or `Midnight`.
    attribute_value: str


class PaginationMeta(TypedDict):
    """Pagination of the response."""

    #: Page number.
    page: int
    #: Page size.
    limit: int
    #: Total number of matching records.
    total: int
    #: `ceil(total / limit)`; 0 when nothing matches.
    total_pages: int
    #: Whether a later page has records.
    has_next: bool
    #: Whether an earlier page has records.
    has_prev: bool
    #: Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none.
    ignored_parameters: NotRequired[list[str]]


class ResponseMeta(TypedDict):
    """Remarks on the request."""

    #: Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none.
    ignored_parameters: list[str]


class VariantWithDevice(TypedDict):
    """A variant with the device it belongs to."""

    #: Variant identifier: the device id and its attributes, `[a-z0-9-]`.
    id: str
    #: Stock keeping unit.
    sku: str
    #: Launch list price in US cents, as `price_source` says; 0 if unknown.
    price: int
    #: `list`: published US list price. `estimated`: list price of another country in US cents without its tax. `unknown`: no list price is known and `price` is 0.
    price_source: Literal["list", "estimated", "unknown"]
    #: Launch list prices by market, as published there; empty if none is known.
    list_prices: list[ListPrice]
    #: Name of the variant.
    name: str
    #: The maker's part numbers, without region suffix.
    part_numbers: list[str]
    #: The maker's model numbers of this variant.
    model_numbers: list[str]
    #: Drawing of the device.
    thumbnail: str
    #: Attributes in the order of the catalogue.
    attributes: list[Attribute]
    #: True if the variant is not for sale any more or was never sold. An unknown price does not disable it.
    disabled: bool
    device: VariantDevice


class VariantDevice(TypedDict):
    """The device that a variant belongs to."""

    #: Device identifier.
    id: str
    #: Name of the device, without the make.
    name: str
    #: Same as `id`.
    slug: str
    make: Make
    category: Category


class Match(TypedDict):
    """The device named by a text, or why there is none."""

    #: The text as it was sent.
    text: str
    #: `matched`: exactly one device matches. `ambiguous`: several match, see `candidates`. `unknown`: not in the catalogue, or not a device.
    decision: Literal["matched", "ambiguous", "unknown"]
    #: Why nothing matched, for example `unknown_model`, `accessory`, `for_parts`, `lot`, `make_mismatch`; null for a match.
    reason: str | None
    #: The device, or null.
    device_id: str | None
    #: Its name, or null.
    device_name: str | None
    #: The only variant of the catalogue that fits, or null. `assumed_attributes` says what the text left open.
    variant_id: str | None
    #: Its name, or null.
    variant_name: str | None
    #: Confidence of the match in percent; 0 without a match.
    confidence: int
    #: Attributes found in the text, such as storage, ram, color, size, year, chip, carrier and lock.
    attributes: list[Attribute]
    #: Attributes of the variant that the text does not state, such as the color where the catalogue lists only one.
    assumed_attributes: list[Attribute]
    #: Condition grade found in the text, or null.
    condition: Literal["Excellent", "Good", "Fair", "Poor"] | None
    #: Words of the text that were not matched.
    unmatched_words: list[str]
    #: Possible devices, best first.
    candidates: list[MatchCandidate]


class MatchCandidate(TypedDict):
    """A possible device."""

    #: Device.
    device_id: str
    #: Its name.
    device_name: str
    #: Variant, if exactly one fits; otherwise null.
    variant_id: str | None
    #: Confidence in percent.
    confidence: int


class CategoryCount(TypedDict):
    """A category with its counts."""

    #: Name of the category.
    name: str
    #: Drawing of the category.
    thumbnail: str
    #: Number of devices in the registry.
    device_count: int
    #: Number of variants, including disabled ones.
    variant_count: int


class MakeCount(TypedDict):
    """A manufacturer with its counts."""

    #: Name of the manufacturer.
    name: str
    #: Drawing for the manufacturer; never a trademarked logo.
    thumbnail: str
    #: Number of devices in the registry.
    device_count: int
    #: Number of variants, including disabled ones.
    variant_count: int


class ConditionGrade(TypedDict):
    """A condition grade and its definition."""

    #: Name used in prices.
    name: Literal["Excellent", "Good", "Fair", "Poor"]
    #: 1 is the best grade, 4 the worst.
    rank: int
    #: Definition of the grade.
    definition: str
    #: Whether every function must work.
    fully_working: bool
    #: State of the screen; null for devices without one.
    screen: str | None
    #: State of the body.
    body: str
    #: Minimum battery health for this grade; null if there is none or it cannot be read.
    battery_min_percent: int | None


class Defect(TypedDict):
    """A defect beyond normal wear."""

    #: Code for `defects[]` of an appraisal.
    code: Literal["cracked_screen", "cracked_back", "weak_battery", "charging_port", "camera", "speaker_or_microphone", "buttons", "biometric_sensor", "radio", "sim_reader", "headphone_jack", "keyboard_or_trackpad", "hinge", "fan", "ports", "stick_drift", "disc_drive", "storage_drive", "lens", "image_sensor", "shutter", "viewfinder", "gimbal", "motor", "image_errors", "ear_cushions", "missing_earbud", "no_power", "water_damage", "activation_locked", "carrier_locked", "missing_accessories"]
    #: Label.
    name: str
    #: What to look for.
    description: str
    #: Repairs that fix it, by category; if several are possible, the most expensive one is assumed.
    repairs: list[str]
    #: Whether a device with this defect still has one of the four grades.
    gradable: bool
    #: Best grade possible with this defect; null if none.
    best_grade: Literal["Excellent", "Good", "Fair", "Poor"] | None
    #: Kinds of devices that can have it; an appraisal of another kind is rejected with 400.
    categories: list[Literal["phone", "foldable", "tablet", "e_reader", "media_player", "laptop", "desktop", "all_in_one", "watch", "console", "handheld", "vr_headset", "headphones", "earbuds", "speaker", "smart_display", "streaming_player", "camera", "action_camera", "drone", "graphics_card"]]
    #: Whether a device with this defect can be bought and sold.
    sellable: bool


class VariantPricing(TypedDict):
    """Prices of one variant by condition grade."""

    #: The requested variant.
    variant_id: str
    #: Name of its device.
    device_name: str
    #: Name of the variant.
    variant_name: str
    #: Absent with `pricing_type=resale`.
    buyback: NotRequired[PriceBlock]
    #: Absent with `pricing_type=buyback`.
    resale: NotRequired[ResaleBlock]
    #: Confidence of the prices: 80 means about 5 % expected error, 60 about 10 %, 0 no basis.
    market_confidence: int
    #: Number of observations of this variant in use, without outliers.
    data_points: int
    #: Launch price behind an estimate. `list`: US list price. `announced`: price announced in another country, without tax. `estimated`: from specifications, make and product line, with a wider range. Null if there is none.
    launch_price_basis: Literal["list", "announced", "estimated"] | None
    market: PriceMarket
    #: Carrier lock of the device that the prices are for: `unlocked`, or `locked` to one carrier.
    lock: Literal["unlocked", "locked"]
    #: Currency of the amounts; `USD` by default.
    currency: str
    #: Present if `currency` is given and is not USD.
    exchange_rate: NotRequired[ExchangeRate]
    #: Version of the pricing engine.
    method: str


class PriceBlock(TypedDict):
    """Prices that trade-in businesses pay."""

    current: ConditionAmounts
    interval: PriceIntervals
    #: Weekly points of the last `history_days` days (default 26 weeks) in ascending order; only weeks with observations.
    historical: list[PricePoint]
    #: Time of the newest observation used; without any, the time of the market fit that the estimate comes from.
    last_updated: str
    #: `market`: observed prices of this variant. `estimate`: derived from related variants or from product line and age. `sample`: as `estimate`, with a simulated history.
    source: Literal["market", "estimate", "sample"]


class ConditionAmounts(TypedDict):
    """Amount per grade in US cents, never higher for a worse grade. Null only if there is no basis for a price."""

    #: US cents for grade Excellent.
    Excellent: int | None
    #: US cents for grade Good.
    Good: int | None
    #: US cents for grade Fair.
    Fair: int | None
    #: US cents for grade Poor.
    Poor: int | None


class PriceIntervals(TypedDict):
    """The 80 % range per grade; null if the amount is null."""

    Excellent: PriceRange | None
    Good: PriceRange | None
    Fair: PriceRange | None
    Poor: PriceRange | None


class PriceRange(TypedDict):
    """Range expected to contain 80 % of single deals, in US cents."""

    #: Lower end of the range.
    low: int
    #: Upper end of the range.
    high: int


class PricePoint(TypedDict):
    """One week of one grade. Weeks without observations have no point."""

    #: First day of the week (Monday).
    date: str
    #: Median of the observations of that week, US cents.
    value: int
    #: Currency of the amounts; `USD` by default.
    currency: str
    #: Grade of the observations.
    condition: Literal["Excellent", "Good", "Fair", "Poor"]


class ResaleBlock(TypedDict):
    """Prices at which used devices sell."""

    current: ConditionAmounts
    interval: PriceIntervals
    #: Weekly points of the last `history_days` days (default 26 weeks) in ascending order; only weeks with observations.
    historical: list[PricePoint]
    #: Time of the newest observation used; without any, the time of the market fit that the estimate comes from.
    last_updated: str
    #: `market`: observed prices of this variant. `estimate`: derived from related variants or from product line and age. `sample`: as `estimate`, with a simulated history.
    source: Literal["market", "estimate", "sample"]
    #: Price trend of the last weeks; not a forecast.
    trend: Literal["rising", "stable", "falling", "unknown"]
    #: Probability in percent of a sale within 28 days at this price.
    liquidity_score: int


class PriceMarket(TypedDict):
    """The market whose prices these are."""

    #: Country code in lower case, or `eu`.
    code: str
    #: `observed`: the price level was learned from prices of this market. `borrowed`: prices of other markets, moved to the level expected of this one. `estimated`: nothing was observed anywhere.
    basis: Literal["observed", "borrowed", "estimated"]
    #: Whether prices of this market are shown with value added or sales tax.
    tax_included: bool
    #: Observations of this market that its price level was learned from.
    observations: int


class ExchangeRate(TypedDict):
    """Rate by which US dollars were converted."""

    #: Units of the currency for one US dollar.
    rate: float
    #: Day of the rate.
    date: str
    #: Whether the rate is more than 45 days old. Absent in old appraisals.
    stale: NotRequired[bool]
    #: `imported`: by the operator. `ecb`: bundled reference rate of the European Central Bank. `federal_reserve`: bundled monthly average. `peg`: derived from a fixed official rate.
    source: NotRequired[Literal["imported", "ecb", "federal_reserve", "peg"]]


class PricingBatchItem1(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was processed.
    success: Literal[True]
    result: VariantPricing


class PricingBatchItem2(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was rejected.
    success: Literal[False]
    error: ItemError


PricingBatchItem: TypeAlias = "PricingBatchItem1 | PricingBatchItem2"

class ItemError(TypedDict):
    """Why this item was rejected."""

    #: Stable machine-readable code. Use this in programs, not the message.
    code: Literal["VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "LIMIT_REACHED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]
    #: Human-readable message. Its wording may change.
    message: str
    #: On `VALIDATION_ERROR`: each invalid parameter or field.
    details: NotRequired[list[ErrorDetail]]
    #: On `NOT_FOUND` of a device or variant: the most similar existing ids.
    nearest_ids: NotRequired[list[str]]


class LowestPrice(TypedDict):
    """What the cheapest variant of a device sells for."""

    #: The device.
    device_id: str
    #: Resale price in grade Good in US cents; null for an unknown device or no price.
    resale: int | None


class ObservationImportResult(TypedDict):
    """Result of an import of observations."""

    #: Id of this import.
    run_id: str
    #: Number of rows sent.
    rows: int
    #: Number of accepted rows.
    accepted: int
    #: Accepted rows with new information; the others were already stored.
    written: int
    #: Number of rejected rows.
    rejected: int
    #: Number of rejected rows per reason.
    rejected_by: dict[str, int]
    #: Result per row, in the order of the request.
    results: list[ObservationResult]


class ObservationResult1(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The row was accepted.
    accepted: Literal[True]
    #: Your id of the deal.
    listing_id: str
    #: The matched device.
    device_id: str
    #: The variant; null if several fit that differ only in color.
    variant_id: str | None
    #: The recognized grade; `damaged`, `broken` or `dead` for a defective device.
    condition: str


class ObservationResult2(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The row was rejected.
    accepted: Literal[False]
    #: Your id of the deal, if it could be read.
    listing_id: str | None
    #: Reject reason; the same text for the same reason.
    reason: str
    #: The offending value, shortened; empty if there is none.
    detail: str


ObservationResult: TypeAlias = "ObservationResult1 | ObservationResult2"

class DeviceRepairIntelligence(TypedDict):
    """Common repairs, their cost and return."""

    #: The device.
    device_id: str
    #: Name of the device.
    device_name: str
    #: The requested variant; null if the request named only the device.
    variant_id: str | None
    #: Repairability, 10 is easiest; null if not rated.
    repairsite_score: int | None
    #: The score in words: excellent 8–10, good 6–7, fair 4–5, poor 2–3, very_poor 0–1, unknown if null.
    repairability_rating: Literal["excellent", "good", "fair", "poor", "very_poor", "unknown"]
    #: Most common repairs.
    common_repairs: list[CommonRepair]
    #: Common failures, most frequent first.
    common_failure_points: list[str]
    #: Null if no cost is known.
    average_repair_cost: RepairCost | None
    #: Return on repair: (resale Good − resale Poor − cost) / cost, with the lower end of the average repair cost. `high` from 1, `medium` from 0.25, `low` from 0, `negative` below 0, `unknown` if a figure is missing.
    repair_roi_indicator: Literal["high", "medium", "low", "negative", "unknown"]
    #: Notes for technicians, and which figures are reference ranges.
    technical_notes: list[str]
    #: Parts that are paired or sold only by the manufacturer.
    proprietary_parts: list[str]
    #: Special tools.
    special_tools_required: list[str]
    #: Time of the newest fact used; without any, of the bundled repair data.
    last_updated: str
    #: The repair dataset.
    source: Literal["repairsite"]
    #: Share of the facts that are known, in percent.
    data_completeness: int
    #: Present if `currency` is given and is not USD.
    exchange_rate: NotRequired[ExchangeRate]


class CommonRepair(TypedDict):
    """A common repair of this device."""

    #: Name of the repair.
    name: str
    #: How hard the repair is; null if unknown.
    difficulty: Literal["very_easy", "easy", "moderate", "difficult", "very_difficult"] | None
    #: Usual working time in minutes; null if unknown.
    estimated_time_minutes: int | None
    #: Parts needed for the repair.
    parts: list[RepairPart]
    #: Minimum labour cost without parts, US cents; null if the time is unknown.
    labour_min: int | None
    #: Maximum labour cost without parts, US cents; null if the time is unknown.
    labour_max: int | None
    #: URL of a repair guide, or null.
    repairsite_guide_url: str | None


class RepairPart(TypedDict):
    """A part needed for a repair."""

    #: Name of the part.
    name: str
    #: Minimum cost of the part, US cents.
    cost_min: int | None
    #: Maximum cost of the part, US cents.
    cost_max: int | None
    #: Currency of the amounts; `USD` by default.
    currency: str
    #: Availability of the part.
    availability: Literal["in_stock", "limited", "backorder", "out_of_stock", "discontinued", "unknown"]


class RepairCost(TypedDict):
    """Cost of a usual repair, parts and labour, weighted by how often each repair occurs."""

    #: Lower end, US cents.
    min: int
    #: Upper end, US cents.
    max: int
    #: Currency of the amounts; `USD` by default.
    currency: str


class IMEILookupResult(TypedDict):
    """Facts and risk assessment of one device by its identifier."""

    #: Identifier of this lookup; sorts by time.
    lookup_id: str
    #: The identifier as sent.
    identifier: str
    #: Identifier type, as sent or recognized.
    identifier_type: Literal["imei", "serial", "esn", "meid"]
    #: Time of the lookup.
    timestamp: str
    device_match: DeviceMatch
    #: `clean` only if a source that covers the list answered (`cleared_by` names it); otherwise `unknown`.
    blacklist_status: Literal["clean", "blacklisted", "pending", "unknown"]
    #: Whether the device is locked to a carrier.
    carrier_lock: Literal["unlocked", "locked", "unknown"]
    #: The carrier, or null.
    carrier_name: str | None
    #: 0 to 100, higher is worse: the sum of `risk_factors[].points`, capped at 100.
    risk_score: int
    #: low 0–24, medium 25–49, high 50–74, critical 75–100.
    risk_level: Literal["low", "medium", "high", "critical"]
    #: Status on the GSMA's list.
    gsma_status: Literal["clean", "blacklisted", "unknown"]
    #: Status on the CTIA's stolen phone list.
    ctia_status: Literal["clean", "lost_stolen", "unknown"]
    #: True only on evidence; false does not prove the contrary.
    reported_lost_stolen: bool
    #: True only on evidence; false does not prove the contrary.
    activation_lock: bool
    #: Names of the sources that responded, joined by `+`; `none` if none did.
    source: str
    #: Age of the facts: queried now, cached, or stale because the source is unavailable.
    freshness: Literal["real-time", "cached", "stale"]
    #: Age of the oldest cached fact; null exactly when `real-time`.
    cache_age_minutes: int | None
    #: All reasons for the score; their points add up to it.
    risk_factors: list[RiskFactor]
    #: Evidence for each `clean` status; empty exactly if no status is `clean`.
    cleared_by: list[Clearance]
    #: References of the checks at the outside sources. Absent if no source gave one.
    evidence: NotRequired[list[CheckEvidence]]
    #: Recommended action: `recheck_identifier` if the identifier is probably mistyped, whatever the score; otherwise `buy` at low, `inspect` at medium, `reject` at high and critical risk.
    recommendation: Literal["buy", "inspect", "recheck_identifier", "reject"]
    #: Probable corrections of a mistyped identifier, most likely first; may be empty.
    suggested_identifiers: list[str]


class DeviceMatch(TypedDict):
    """The device that the identifier belongs to."""

    #: Confidence of the match in percent; 0 without a match.
    confidence: int
    #: Device, or null.
    matched_device_id: str | None
    #: Its name, or null.
    matched_device_name: str | None
    #: Variant, or null: a TAC alone never identifies one.
    matched_variant_id: str | None
    #: Its name, or null.
    matched_variant_name: str | None


class RiskFactor(TypedDict):
    """One reason for the score."""

    #: Stable code, for example `check_digit_mismatch`.
    code: str
    #: Points added to the score; 0 for a remark.
    points: int
    #: Human-readable reason.
    message: str
    #: Name of the source, or `identifier` for findings from the identifier itself.
    source: str
    #: Time of the observation, or null.
    observed_at: str | None


class Clearance(TypedDict):
    """Evidence for a `clean` status."""

    #: `registry` for imported lists, or the name of an outside source.
    source: str
    #: Name of the list that does not contain the identifier; null if unknown.
    list: str | None
    #: Area covered by the list, or null.
    area: str | None
    #: Number of identifiers on the list, or null.
    entries: int | None
    #: Time of the last import; for an outside source, time of its response.
    updated_at: str | None


class CheckEvidence(TypedDict):
    """Reference of a check at an outside source."""

    #: Name of the outside source.
    source: str
    #: Reference of the check at the source.
    evidence_id: str
    #: Time of the check.
    checked_at: str


class HistoryMeta(TypedDict):
    """Pagination of the response, by page number or by `after`."""

    #: Page number; 1 with `after`.
    page: int
    #: Page size.
    limit: int
    #: Total number of matching records.
    total: int
    #: `ceil(total / limit)`; 0 when nothing matches.
    total_pages: int
    #: Whether a later page has records.
    has_next: bool
    #: Whether an earlier page has records.
    has_prev: bool
    #: Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none.
    ignored_parameters: NotRequired[list[str]]
    #: Value of `after` for the next page; null on the last page.
    next_after: str | None


class IMEIBatchItem1(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was processed.
    success: Literal[True]
    result: IMEILookupResult


class IMEIBatchItem2(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was rejected.
    success: Literal[False]
    error: ItemError


IMEIBatchItem: TypeAlias = "IMEIBatchItem1 | IMEIBatchItem2"

class SandboxIdentifier(TypedDict):
    """A test identifier with a fixed result."""

    #: The identifier.
    identifier: str
    #: Its type.
    identifier_type: Literal["imei", "serial", "esn", "meid"]
    #: Short name of the result.
    outcome: str
    #: What the identifier shows.
    about: str


class AppraisalRejectedPlansItem(TypedDict):

    #: The plan.
    plan: Literal["sell_as_is", "repair_and_sell", "sell_for_parts"]
    #: Why it is not possible.
    reason: str


class Appraisal(TypedDict):
    """An appraisal: identity, risk, prices, repairs, plans and the offer."""

    #: Id of the appraisal; sorts by time.
    appraisal_id: str
    #: Time of the appraisal.
    timestamp: str
    #: Who made the appraisal.
    created_by: Author
    #: Your reference, as sent.
    reference: str | None
    #: What you agreed to pay, as sent; null if not sent.
    agreed_offer: int | None
    #: Whether you recorded that the device was not bought.
    declined: bool
    #: Defects taken into account, including those reported by a source.
    defects: list[Literal["cracked_screen", "cracked_back", "weak_battery", "charging_port", "camera", "speaker_or_microphone", "buttons", "biometric_sensor", "radio", "sim_reader", "headphone_jack", "keyboard_or_trackpad", "hinge", "fan", "ports", "stick_drift", "disc_drive", "storage_drive", "lens", "image_sensor", "shutter", "viewfinder", "gimbal", "motor", "image_errors", "ear_cushions", "missing_earbud", "no_power", "water_damage", "activation_locked", "carrier_locked", "missing_accessories"]]
    #: What was read from `text` beside the device, and is taken into account.
    read_from_text: list[AppraisalReadField]
    #: Stated fields that differ from the text. The stated field counts; where the text describes a cheaper device, the decision is `inspect`. Conflicts about which device it is are in `identity.contradictions`.
    contradictions: list[AppraisalTextContradiction]
    identity: AppraisalIdentity
    #: Lookup of the identifier; null if none was given.
    risk: IMEILookupResult | None
    #: Prices per requested grade, best first; empty if the device is not identified.
    value: list[AppraisalValue]
    #: Repairs that fix the defects or raise the grade.
    repairs: list[AppraisalRepair]
    #: Plans for the grade of the offer. Absent for clerks who may not see margins.
    plans: NotRequired[list[AppraisalPlan]]
    #: Plans that are not possible, with the reason. Absent for clerks who may not see margins.
    rejected_plans: NotRequired[list[AppraisalRejectedPlansItem]]
    offer: AppraisalOffer
    #: Policy applied, including overrides; amounts in the currency of the response. Absent for clerks who may not see margins.
    policy: NotRequired[AppraisalPolicy]
    #: The market whose prices these are; null without prices.
    market: PriceMarket | None
    #: Carrier lock that the prices are for: as sent, else `locked` if a source or the defect `carrier_locked` says so.
    lock: Literal["unlocked", "locked"]
    #: Whether any data is simulated: sample prices or a sandbox identifier.
    sample: bool
    #: Currency of all amounts; they are in its minor units.
    currency: str
    #: Null if the currency is USD.
    exchange_rate: ExchangeRate | None
    #: Outcome of the deal; null while it is open.
    outcome: Outcome | None


class Author(TypedDict):
    """Who made the record."""

    #: A person with a session, an API key, or a command on the machine of the service.
    kind: Literal["person", "key", "command"]
    #: Id of the account or of the key; `command line` for a command.
    id: str
    #: Name of the person or of the key at that time.
    name: str


class AppraisalReadField(TypedDict):
    """Words of the text and what they were read as."""

    #: The words, as written.
    words: str
    #: What they state: `defects`, `condition`, `lock`, `battery_health`, `wanted` or an attribute such as `attributes.storage`.
    field: str
    #: The value: a defect code, a grade, a lock, percent, or the value of the attribute.
    value: str


class AppraisalTextContradiction(TypedDict):
    """A stated field that differs from the text."""

    #: The field.
    field: str
    #: Its value in the request, which counts.
    stated: str
    #: The words of the text.
    words: str
    #: The value that the words state.
    value: str
    #: Human-readable message.
    message: str


class AppraisalIdentityUnresolvedAttributesItem(TypedDict):

    #: Name of the attribute.
    name: str
    #: Values of the variants that still match.
    values: list[str]
    #: Whether the price depends on it.
    affects_price: bool


class AppraisalIdentityContradictionsItem(TypedDict):

    #: Stable code.
    code: str
    #: Human-readable message.
    message: str


class AppraisalIdentityCandidatesItem(TypedDict):

    #: Candidate device.
    device_id: str
    #: Its name.
    device_name: str
    #: Candidate variant, if one matches.
    variant_id: str | None
    #: Confidence in percent.
    confidence: int


class AppraisalIdentity(TypedDict):
    """Which device it is, how it was identified, and what is unresolved."""

    #: Device id; null if not identified.
    device_id: str | None
    #: Its name.
    device_name: str | None
    #: Kind that decides its grade texts and defects (`/api/meta/defects?category=`); null if it has none.
    device_kind: Literal["phone", "foldable", "tablet", "e_reader", "media_player", "laptop", "desktop", "all_in_one", "watch", "console", "handheld", "vr_headset", "headphones", "earbuds", "speaker", "smart_display", "streaming_player", "camera", "action_camera", "drone", "graphics_card"] | None
    #: Variant id; null while attributes are unresolved.
    variant_id: str | None
    #: Its name.
    variant_name: str | None
    #: Confidence of the identification, in percent.
    confidence: int
    #: Field of the request that identified the device; null if none did.
    identified_by: Literal["variant_id", "device_id", "text", "identifier"] | None
    #: Attributes that are known, storage first, such as the storage while the color is open; without memory that follows from the storage.
    attributes: list[Attribute]
    #: Attributes that still distinguish the matching variants, storage first; memory that follows from the storage is not listed. The cheapest matching variant is valued.
    unresolved_attributes: list[AppraisalIdentityUnresolvedAttributesItem]
    #: Conflicts between the fields of the request. They are findings, not errors.
    contradictions: list[AppraisalIdentityContradictionsItem]
    #: Candidates when the device is not identified; best first.
    candidates: list[AppraisalIdentityCandidatesItem]


class AppraisalValue(TypedDict):
    """Prices of one grade."""

    #: The grade.
    condition: Literal["Excellent", "Good", "Fair", "Poor"]
    #: Resale price; null if no price is available.
    resale: PriceEstimate | None
    #: Price trade-in businesses pay.
    buyback: PriceEstimate | None


class PriceEstimate(TypedDict):
    """A price with the interval expected to contain 80 % of single deals."""

    #: Median.
    amount: int
    #: Lower end of the 80 % interval.
    low: int
    #: Upper end.
    high: int


class AppraisalRepair(TypedDict):
    """A possible repair."""

    #: Repair category.
    category: str
    #: The repair.
    name: str
    #: Defects it fixes; empty if it only raises the grade.
    defects: list[Literal["cracked_screen", "cracked_back", "weak_battery", "charging_port", "camera", "speaker_or_microphone", "buttons", "biometric_sensor", "radio", "sim_reader", "headphone_jack", "keyboard_or_trackpad", "hinge", "fan", "ports", "stick_drift", "disc_drive", "storage_drive", "lens", "image_sensor", "shutter", "viewfinder", "gimbal", "motor", "image_errors", "ear_cushions", "missing_earbud", "no_power", "water_damage", "activation_locked", "carrier_locked", "missing_accessories"]]
    #: Minimum cost of the parts; null if unknown.
    parts_min: int | None
    #: Maximum cost of the parts.
    parts_max: int | None
    #: Minimum labour cost at the labour rate of the policy.
    labour_min: int | None
    #: Maximum labour cost.
    labour_max: int | None
    #: Typical working time in minutes.
    minutes: int | None
    #: Increase of the proceeds, attributed to this repair by its share of the total repair cost.
    value_added: int | None
    #: (value added − cost) / cost; null if either is unknown.
    return_on_cost: float | None


class AppraisalPlanCosts(TypedDict):
    """Costs by kind."""

    #: Parts.
    parts: int
    #: Labour.
    labour: int
    #: Selling fee.
    selling_fee: int
    #: Holding cost and expected depreciation until the sale.
    holding_and_depreciation: int


class AppraisalPlanRange(TypedDict):
    """80 % interval of the profit."""

    #: Lower end.
    low: int
    #: Upper end.
    high: int


class AppraisalPlan(TypedDict):
    """One way to sell the device, evaluated at `offer.max_offer`."""

    #: Plan.
    plan: Literal["sell_as_is", "repair_and_sell", "sell_for_parts"]
    #: Grade it is sold as; null for parts and for devices that have no grade, such as dead ones.
    sold_as: Literal["Excellent", "Good", "Fair", "Poor"] | None
    #: Categories of the repairs done before the sale.
    repairs: list[str]
    #: Median sale proceeds.
    expected_proceeds: int
    #: Costs by kind.
    costs: AppraisalPlanCosts
    #: Mean days until the sale.
    days_to_sell: int
    #: Proceeds minus costs minus `offer.max_offer`.
    expected_profit: int
    #: 80 % interval of the profit.
    range: AppraisalPlanRange
    #: Probability of a loss.
    loss_probability: float
    #: Highest offer at which this plan satisfies the policy; negative if there is none.
    max_offer: int


class AppraisalOfferByConditionItem(TypedDict):

    #: The grade.
    condition: Literal["Excellent", "Good", "Fair", "Poor"]
    #: Best plan.
    plan: Literal["sell_as_is", "repair_and_sell", "sell_for_parts"] | None
    #: Highest offer.
    max_offer: int | None
    #: Suggested offer.
    recommended_offer: int | None


class AppraisalOffer(TypedDict):
    """Decision, highest offer and reasons."""

    #: `buy`: buy and sell as is or for parts. `buy_and_repair`: buy and repair before selling. `inspect`: check the device before making the offer. `reject`: do not buy. `identify`: the device could not be identified.
    decision: Literal["buy", "buy_and_repair", "inspect", "reject", "identify"]
    #: Grade the offer is for; the worst if none was given.
    condition: Literal["Excellent", "Good", "Fair", "Poor"] | None
    #: Best plan; null if there is none.
    plan: Literal["sell_as_is", "repair_and_sell", "sell_for_parts"] | None
    #: Highest offer that satisfies the policy; null if it cannot be calculated.
    max_offer: int | None
    #: Suggested offer: `max_offer`, capped at the market trade-in price.
    recommended_offer: int | None
    #: The calculation line by line. The amounts before `market_buyback_cap` add up to `max_offer`; all amounts add up to `recommended_offer`. Clerks who may not see margins get the findings without amounts.
    reasons: list[AppraisalReason]
    #: Offer for each requested grade, best first.
    by_condition: list[AppraisalOfferByConditionItem]
    #: Source of the prices; null without prices.
    source: Literal["market", "estimate", "sample"] | None
    #: Confidence of the prices in percent.
    market_confidence: int
    #: Version of the calculation.
    method: str


class AppraisalReason(TypedDict):
    """One line of the calculation."""

    #: Stable code.
    code: str
    #: Human-readable text.
    message: str
    #: Change of the offer. Absent for clerks who may not see margins.
    amount: NotRequired[int]
    #: Sum of the amounts so far. Absent for clerks who may not see margins.
    running_total: NotRequired[int]


class AppraisalPolicy(TypedDict):
    """Buying policy of an organization. Amounts are minor units of `currency`."""

    #: Currency of the amounts, and of offers unless the request names another.
    currency: str
    #: Required profit, in percent of the sale price.
    target_margin_percent: float
    #: Minimum profit per device.
    min_profit: int
    #: Selling fee in percent of the sale price: marketplace, payment, shipping.
    selling_fee_percent: float
    #: Labour cost per hour.
    labour_per_hour: int
    #: Cost per day until the sale: space, capital, insurance.
    holding_cost_per_day: int
    #: Maximum probability that a deal loses money.
    max_loss_probability: float
    #: Action at risk level `low`.
    action_at_low_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `medium`.
    action_at_medium_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `high`.
    action_at_high_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `critical`. Blacklisted devices are always rejected.
    action_at_critical_risk: Literal["offer", "inspect", "reject"]
    #: Action if no identifier was given.
    action_without_identifier: Literal["offer", "inspect", "reject"]
    #: Maximum risk points from checks that could not be made; above it the decision is `inspect`.
    max_unverified_risk_points: int
    #: Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand. Absent in old appraisals.
    min_confidence: NotRequired[int]
    #: Offers are rounded down to a multiple of this.
    offer_rounding: int


class OutcomeDeclined(TypedDict):
    """Set if the status is `declined`."""

    #: Who declined; null if not recorded.
    by: Literal["shop", "customer"] | None
    #: Day.
    date: str


class Outcome(TypedDict):
    """Outcome of an appraised device."""

    #: Status of the deal.
    status: Literal["bought", "declined", "sold"]
    #: The purchase; null if it was declined.
    bought: OutcomeDeal | None
    #: The sale; null unless the status is `sold`.
    sold: OutcomeDeal | None
    #: Set if the status is `declined`.
    declined: OutcomeDeclined | None
    #: Your note.
    note: str | None
    #: Time of the last change.
    updated_at: str


class OutcomeDeal(TypedDict):
    """A purchase or a sale."""

    #: Price in minor units of `currency`.
    price: int
    #: Currency of the price.
    currency: str
    #: Day of the deal.
    date: str


class AppraisalBatchItem1(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was processed.
    success: Literal[True]
    result: Appraisal


class AppraisalBatchItem2(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was rejected.
    success: Literal[False]
    error: ItemError


AppraisalBatchItem: TypeAlias = "AppraisalBatchItem1 | AppraisalBatchItem2"

class AppraisalPreviewRejectedPlansItem(TypedDict):

    #: The plan.
    plan: Literal["sell_as_is", "repair_and_sell", "sell_for_parts"]
    #: Why it is not possible.
    reason: str


class AppraisalPreviewGradesItem(TypedDict):

    #: The grade.
    condition: Literal["Excellent", "Good", "Fair", "Poor"]
    #: Resale price; null if no price is available.
    resale: PriceEstimate | None
    #: Price trade-in businesses pay.
    buyback: PriceEstimate | None
    #: Highest offer.
    max_offer: int | None
    #: Suggested offer.
    recommended_offer: int | None


class AppraisalPreview(TypedDict):
    """An appraisal that is not recorded, with the offers for all grades."""

    #: Time of the appraisal.
    timestamp: str
    #: Your reference, as sent.
    reference: str | None
    #: What you agreed to pay, as sent; null if not sent.
    agreed_offer: int | None
    #: Whether you recorded that the device was not bought.
    declined: bool
    #: Defects taken into account, including those reported by a source.
    defects: list[Literal["cracked_screen", "cracked_back", "weak_battery", "charging_port", "camera", "speaker_or_microphone", "buttons", "biometric_sensor", "radio", "sim_reader", "headphone_jack", "keyboard_or_trackpad", "hinge", "fan", "ports", "stick_drift", "disc_drive", "storage_drive", "lens", "image_sensor", "shutter", "viewfinder", "gimbal", "motor", "image_errors", "ear_cushions", "missing_earbud", "no_power", "water_damage", "activation_locked", "carrier_locked", "missing_accessories"]]
    #: What was read from `text` beside the device, and is taken into account.
    read_from_text: list[AppraisalReadField]
    #: Stated fields that differ from the text. The stated field counts; where the text describes a cheaper device, the decision is `inspect`. Conflicts about which device it is are in `identity.contradictions`.
    contradictions: list[AppraisalTextContradiction]
    identity: AppraisalIdentity
    #: Lookup of the identifier; null if none was given.
    risk: IMEILookupResult | None
    #: Prices per requested grade, best first; empty if the device is not identified.
    value: list[AppraisalValue]
    #: Repairs that fix the defects or raise the grade.
    repairs: list[AppraisalRepair]
    #: Plans for the grade of the offer. Absent for clerks who may not see margins.
    plans: NotRequired[list[AppraisalPlan]]
    #: Plans that are not possible, with the reason. Absent for clerks who may not see margins.
    rejected_plans: NotRequired[list[AppraisalPreviewRejectedPlansItem]]
    offer: AppraisalOffer
    #: Policy applied, including overrides; amounts in the currency of the response. Absent for clerks who may not see margins.
    policy: NotRequired[AppraisalPolicy]
    #: The market whose prices these are; null without prices.
    market: PriceMarket | None
    #: Carrier lock that the prices are for: as sent, else `locked` if a source or the defect `carrier_locked` says so.
    lock: Literal["unlocked", "locked"]
    #: Whether any data is simulated: sample prices or a sandbox identifier.
    sample: bool
    #: Currency of all amounts; they are in its minor units.
    currency: str
    #: Null if the currency is USD.
    exchange_rate: ExchangeRate | None
    #: Prices and offers for all four grades, best first.
    grades: list[AppraisalPreviewGradesItem]
    #: What trade-in businesses pay for a device in this state, with its defects; null if unknown.
    trade_in: PriceEstimate | None


class AppraisedDevice(TypedDict):
    """A device that was appraised."""

    #: The device.
    device_id: str
    #: Its name; its id if it is no longer in the registry.
    device_name: str
    #: Number of appraisals.
    total: int


class RecordedOutcome(TypedDict):
    """The outcome of an appraisal after the change."""

    #: The appraisal.
    appraisal_id: str
    #: Its outcome; null if it is open again.
    outcome: Outcome | None


class OutcomeBatchItem1(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was processed.
    success: Literal[True]
    result: RecordedOutcome


class OutcomeBatchItem2(TypedDict):

    #: Position in the request, from 0.
    index: int
    #: The item was rejected.
    success: Literal[False]
    error: ItemError


OutcomeBatchItem: TypeAlias = "OutcomeBatchItem1 | OutcomeBatchItem2"

class AppraisalShare(TypedDict):
    """A code on a printed receipt. The code itself is shown once."""

    #: Id of the share.
    share_id: str
    #: Facts that anyone with the code sees.
    facts: list[Literal["device", "identifier", "grade", "check", "offer", "reference"]]
    #: Time of its creation.
    created_at: str
    #: E-mail address of the person, or the API key or program that created it.
    created_by: str
    #: Time at which it was revoked; null while it works.
    revoked_at: str | None


class NewAppraisalShare(TypedDict):
    """A new share with its address."""

    share: AppraisalShare
    #: Address of the verification page with the code. Absent in a repeated response.
    url: NotRequired[str]


class Done(TypedDict):

    #: Always true.
    done: Literal[True]


class DealReportExchangeRatesItem(TypedDict):

    #: Currency of some deals.
    currency: str
    #: The newest rate that was used; null for US dollars.
    exchange_rate: ExchangeRate | None


class DealReportTotals(TypedDict):
    """The whole period."""

    bought: DealPurchases
    sold: DealSales
    declined: DealsDeclined


class DealReportMonthsItem(TypedDict):

    #: Calendar month.
    month: str
    bought: DealPurchases
    sold: DealSales
    declined: DealsDeclined


# Purchases, sales and declined offers of a period, and how good the forecasts were.
DealReport = TypedDict(
    "DealReport",
    {
        #: First day.
        "from": "str",
        #: Last day.
        "to": "str",
        #: Currency of all amounts, which are in its minor units.
        "currency": "str",
        #: Currencies that were converted, deal by deal, by the newest rate on or before the day of the deal; usually empty.
        "exchange_rates": "list[DealReportExchangeRatesItem]",
        #: The whole period.
        "totals": "DealReportTotals",
        #: Devices that are bought and not sold as of today, whatever the day of purchase.
        "in_stock": "DealPurchases",
        #: Each month of the period; purchases by the day of the purchase, sales by the day of the sale.
        "months": "list[DealReportMonthsItem]",
        "forecast": "DealForecasts",
    },
)


class DealPurchases(TypedDict):
    """Purchases."""

    #: Devices bought.
    count: int
    #: Money paid for them.
    amount: int


class DealSales(TypedDict):
    """Sales."""

    #: Devices sold.
    count: int
    #: Money received for them.
    amount: int
    #: Purchase price of the sold devices.
    cost: int
    #: `amount` − `cost`. Repairs, fees and taxes are not recorded and not deducted.
    profit: int
    #: `profit` in percent of `amount`; null without sales.
    margin_percent: float | None
    #: Median days between purchase and sale; null without sales.
    median_days_held: float | None


class DealsDeclined(TypedDict):
    """Declined offers."""

    #: Appraisals without a deal.
    count: int
    #: Declined by you.
    by_shop: int
    #: Declined by the customer.
    by_customer: int


class DealForecastsOffers(TypedDict):
    """Recommended offer against the price paid, for purchases in the period."""

    #: Purchases whose appraisal recommended an offer.
    deals: int
    #: Sum of the recommended offers.
    recommended: int
    #: Sum of the prices paid.
    paid: int
    #: Purchases above the recommended offer.
    above_offer: int
    #: Median of (paid − recommended) in percent of the recommended offer.
    median_difference_percent: float | None


class DealForecastsSales(TypedDict):
    """Forecast sale price against the price received, for sales in the period."""

    #: Sales whose appraisal forecast a sale price.
    sales: int
    #: Sum of the forecast sale prices.
    forecast: int
    #: Sum of the prices received.
    sold: int
    #: Median of (sold − forecast) in percent of the forecast: positive if devices sell for more.
    median_error_percent: float | None
    #: Median of its absolute value.
    median_absolute_error_percent: float | None


class DealForecastsRange(TypedDict):
    """Sales inside and outside the forecast 80 % range."""

    #: Sales of devices that were sold as appraised, with a price range.
    sales: int
    #: Sales inside the 80 % range.
    inside: int
    #: Sales below the range.
    below: int
    #: Sales above the range.
    above: int
    #: Share inside the range; null without sales.
    share: float | None
    #: Share that the range is meant to contain.
    expected_share: Literal[0.8]
    #: Lower end of the number inside that chance explains (95 %) if the range is right.
    expected_low: int
    #: Upper end of the number inside that chance explains (95 %) if the range is right.
    expected_high: int
    #: `too_few`: fewer than 20 sales. `too_narrow`: fewer sales inside than chance explains.
    verdict: Literal["too_few", "as_forecast", "too_narrow", "too_wide"]


class DealForecastsLosses(TypedDict):
    """How often money was lost, against the forecast probability."""

    #: Sales whose appraisal forecast costs and a profit.
    sales: int
    #: Sales below the price paid plus the forecast costs.
    lost: int
    #: Sum of the probabilities of a loss at the prices that were paid.
    expected: float
    #: Lower end of the number of losses that chance explains (95 %).
    expected_low: float
    #: Upper end.
    expected_high: float
    #: Sales below the price paid, without any costs.
    below_cost: int
    #: `too_few`: fewer than 20 sales.
    verdict: Literal["too_few", "as_forecast", "more_losses", "fewer_losses"]


class DealForecastsExcluded(TypedDict):
    """Deals that are not compared."""

    #: Deals whose appraisal used simulated data.
    sample: int
    #: Sales whose appraisal forecast no sale price.
    no_forecast: int


class DealForecastsPointsItem(TypedDict):

    #: The appraisal.
    appraisal_id: str
    #: Device, if identified.
    device_id: str | None
    #: Day of the sale.
    date: str
    #: Forecast sale price.
    forecast: int
    #: Lower end of the 80 % range; null without a range.
    low: int | None
    #: Upper end.
    high: int | None
    #: Price received.
    sold: int
    #: Price paid.
    bought: int


class DealForecasts(TypedDict):
    """Forecast against outcome."""

    #: Recommended offer against the price paid, for purchases in the period.
    offers: DealForecastsOffers
    #: Forecast sale price against the price received, for sales in the period.
    sales: DealForecastsSales
    #: Sales inside and outside the forecast 80 % range.
    range: DealForecastsRange
    #: How often money was lost, against the forecast probability.
    losses: DealForecastsLosses
    #: Deals that are not compared.
    excluded: DealForecastsExcluded
    #: The newest 500 compared sales, newest first.
    points: list[DealForecastsPointsItem]


class Watch(TypedDict):
    """A watch on an identifier or on the price of a variant."""

    #: Watch id.
    id: str
    #: What is watched.
    kind: Literal["identifier", "variant"]
    #: The identifier as sent.
    identifier: str | None
    #: Identifier type.
    identifier_type: Literal["imei", "serial", "esn", "meid"] | None
    #: The variant.
    variant_id: str | None
    #: Price change that triggers an event.
    threshold_percent: int | None
    #: Resale price (Good) that changes are measured from, US cents.
    reference_price: int | None
    #: End of the watch; null without end.
    until: str | None
    #: Your reference.
    reference: str | None
    #: Time of creation.
    created_at: str


class CursorMeta(TypedDict):
    """Cursor pagination of the response."""

    #: Maximum number of records per response.
    limit: int
    #: Whether more records exist.
    has_next: bool
    #: Value of `after` for the next request: the last id of this response, or the sent value if the response is empty.
    next_after: str | None
    #: Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none.
    ignored_parameters: NotRequired[list[str]]


ServiceEvent: TypeAlias = "IdentifierStatusChangedEvent | PriceChangedEvent | ImportFinishedEvent | KeyExpiringEvent | AppraisalCreatedEvent | AppraisalBoughtEvent | AppraisalDeclinedEvent | AppraisalSoldEvent | AppraisalReopenedEvent | WebhookDisabledEvent | WebhookTestEvent | UsageThresholdReachedEvent"

class UsageRowsItem(TypedDict):

    #: Day (UTC).
    day: str
    #: Path of the endpoint.
    endpoint: str
    #: HTTP status.
    status: int
    #: Number of requests.
    requests: int


# Requests of the organization's API keys.
Usage = TypedDict(
    "Usage",
    {
        #: First day.
        "from": "str",
        #: Last day.
        "to": "str",
        #: Requests that count against a quota: all but those rejected with 401, 429 or 5xx.
        "total_requests": "int",
        #: Monthly quota; null if there is none.
        "quota": "UsageQuota | None",
        #: Requests by day, endpoint and status.
        "rows": "list[UsageRowsItem]",
        #: Requests by API key; null unless `include=keys`.
        "by_key": "UsageByKey | None",
    },
)


class UsageQuota(TypedDict):
    """Monthly quota of the organization."""

    #: Requests per calendar month (UTC).
    monthly_requests: int
    #: Whether requests beyond the quota are rejected with 429.
    is_hard: bool
    #: Requests of the current month.
    used: int
    #: Requests left in the current month.
    remaining: int
    #: Start of the next month.
    resets_at: str


class UsageByKeyRowsItem(TypedDict):

    #: Day (UTC).
    day: str
    #: Key id; `dashboard` for requests of people, which count against no quota.
    key_id: str
    #: Path of the endpoint.
    route: str
    #: HTTP status.
    status: int
    #: Number of requests.
    count: int


class UsageByKeyPeaksItem(TypedDict):

    #: Day (UTC).
    day: str
    #: Key id.
    key_id: str
    #: Most requests in one minute of the day.
    peak_per_minute: int


class UsageByKeyKeysItem(TypedDict):

    #: Key id.
    id: str
    #: Name.
    name: str
    #: Tier.
    tier: Literal["public", "paid", "enterprise"]
    #: Requests per minute that it may send.
    limit_per_minute: int


class UsageByKeyLookupsItem(TypedDict):

    #: Day (UTC).
    day: str
    #: Risk level.
    risk_level: Literal["low", "medium", "high", "critical"]
    #: Number of lookups.
    count: int


# Requests by API key, including those of the dashboard.
UsageByKey = TypedDict(
    "UsageByKey",
    {
        #: First day in the rows; later than asked for if there are too many rows. The CSV file has all.
        "from": "str",
        #: Requests by day, key, endpoint and status.
        "rows": "list[UsageByKeyRowsItem]",
        #: Busiest minute by day and key.
        "peaks": "list[UsageByKeyPeaksItem]",
        #: All keys of the organization.
        "keys": "list[UsageByKeyKeysItem]",
        #: Lookups by day and risk level.
        "lookups": "list[UsageByKeyLookupsItem]",
    },
)


class UsageHoursRowsItem(TypedDict):

    #: Hours since 1970, UTC.
    hour: int
    #: Key id; `dashboard` for requests of people.
    key_id: str
    #: Path of the endpoint.
    route: str
    #: HTTP status.
    status: int
    #: Index of the latency class.
    latency: int
    #: Number of requests.
    count: int


# Requests of the last two weeks by the hour.
UsageHours = TypedDict(
    "UsageHours",
    {
        #: First hour: hours since 1970, UTC.
        "from": "int",
        #: Last hour.
        "to": "int",
        #: Upper ends of the latency classes in milliseconds; the last class has none.
        "latency_classes": "list[float]",
        #: Requests by hour, key, endpoint, status and latency class.
        "rows": "list[UsageHoursRowsItem]",
    },
)


class LoggedRequest(TypedDict):
    """A request, without parameters and body."""

    #: Entry id.
    id: str
    #: Time of the request.
    at: str
    #: Key id; `dashboard` for requests of people.
    key_id: str
    #: HTTP method.
    method: str
    #: Path of the endpoint.
    route: str
    #: HTTP status.
    status: int
    #: Duration in milliseconds.
    ms: float
    #: Value of `X-Request-Id`.
    request_id: str


class ApiKey(TypedDict):
    """An API key. The key itself is shown once, when it is created."""

    #: Key id.
    id: str
    #: Organization of the key.
    organization_id: str
    #: Name.
    name: str
    #: Tier.
    tier: Literal["public", "paid", "enterprise"]
    #: `contribute`: may send price observations; `manage`: may manage its own organization, as an owner does; `operate`: may manage every organization and the data they share
    rights: list[Literal["contribute", "manage", "operate"]]
    #: First characters of the key.
    prefix: str
    #: Last characters of the key.
    last_four: str
    #: `ending`: expires within two weeks; `blocked`: above the tier of its organization.
    state: Literal["active", "ending", "expired", "revoked", "blocked"]
    #: Time of creation.
    created_at: str
    #: Who created it; null if unknown.
    created_by: str | None
    #: Time at which it stops working; null without end.
    expires_at: str | None
    #: Time of the last request; up to a minute old.
    last_used_at: str | None
    #: Time at which it was revoked.
    revoked_at: str | None
    #: Id of the key that it replaces.
    rotated_from: str | None
    #: Rate limit of its own; null for that of its tier or organization.
    limit_per_minute: int | None
    #: Networks it may be used from, in CIDR form; all if empty.
    allowed_addresses: list[str]


class OwnPolicyPolicy(TypedDict):
    """Buying policy of an organization. Amounts are minor units of `currency`."""

    #: Currency of the amounts, and of offers unless the request names another.
    currency: str
    #: Required profit, in percent of the sale price.
    target_margin_percent: float
    #: Minimum profit per device.
    min_profit: int
    #: Selling fee in percent of the sale price: marketplace, payment, shipping.
    selling_fee_percent: float
    #: Labour cost per hour.
    labour_per_hour: int
    #: Cost per day until the sale: space, capital, insurance.
    holding_cost_per_day: int
    #: Maximum probability that a deal loses money.
    max_loss_probability: float
    #: Action at risk level `low`.
    action_at_low_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `medium`.
    action_at_medium_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `high`.
    action_at_high_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `critical`. Blacklisted devices are always rejected.
    action_at_critical_risk: Literal["offer", "inspect", "reject"]
    #: Action if no identifier was given.
    action_without_identifier: Literal["offer", "inspect", "reject"]
    #: Maximum risk points from checks that could not be made; above it the decision is `inspect`.
    max_unverified_risk_points: int
    #: Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand.
    min_confidence: int
    #: Offers are rounded down to a multiple of this.
    offer_rounding: int
    #: Highest offer a clerk may save; a manager must approve more. Without a value there is no limit.
    clerk_offer_limit: int | None
    #: Whether clerks see resale plans, costs, margins and expected profit.
    clerks_see_margins: bool


class OwnPolicyDefaults(TypedDict):
    """The policy without settings of its own, in the same currency."""

    #: Currency of the amounts, and of offers unless the request names another.
    currency: str
    #: Required profit, in percent of the sale price.
    target_margin_percent: float
    #: Minimum profit per device.
    min_profit: int
    #: Selling fee in percent of the sale price: marketplace, payment, shipping.
    selling_fee_percent: float
    #: Labour cost per hour.
    labour_per_hour: int
    #: Cost per day until the sale: space, capital, insurance.
    holding_cost_per_day: int
    #: Maximum probability that a deal loses money.
    max_loss_probability: float
    #: Action at risk level `low`.
    action_at_low_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `medium`.
    action_at_medium_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `high`.
    action_at_high_risk: Literal["offer", "inspect", "reject"]
    #: Action at risk level `critical`. Blacklisted devices are always rejected.
    action_at_critical_risk: Literal["offer", "inspect", "reject"]
    #: Action if no identifier was given.
    action_without_identifier: Literal["offer", "inspect", "reject"]
    #: Maximum risk points from checks that could not be made; above it the decision is `inspect`.
    max_unverified_risk_points: int
    #: Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand.
    min_confidence: int
    #: Offers are rounded down to a multiple of this.
    offer_rounding: int
    #: Highest offer a clerk may save; a manager must approve more. Without a value there is no limit.
    clerk_offer_limit: int | None
    #: Whether clerks see resale plans, costs, margins and expected profit.
    clerks_see_margins: bool


class OwnPolicyDeals(TypedDict):
    """Prices of the organization's own deals."""

    #: Prices that count, or would count.
    prices: int
    #: Deals whose prices never count, such as those of devices with defects.
    excluded: int
    #: Day of the newest deal; null without deals.
    newest_on: str | None


class OwnPolicy(TypedDict):
    """Buying policy of an organization, field by field."""

    #: Buying policy of an organization. Amounts are minor units of `currency`.
    policy: OwnPolicyPolicy
    #: Fields that the organization set; the others have the default.
    own: list[Literal["currency", "target_margin_percent", "min_profit", "selling_fee_percent", "labour_per_hour", "holding_cost_per_day", "max_loss_probability", "action_at_low_risk", "action_at_medium_risk", "action_at_high_risk", "action_at_critical_risk", "action_without_identifier", "max_unverified_risk_points", "min_confidence", "offer_rounding", "clerk_offer_limit", "clerks_see_margins"]]
    #: The policy without settings of its own, in the same currency.
    defaults: OwnPolicyDefaults
    #: Currencies that the policy can have.
    currencies: list[str]
    #: Whether the prices of the organization's own deals count in its prices.
    uses_deals: bool
    #: Prices of the organization's own deals.
    deals: OwnPolicyDeals


class Webhook(TypedDict):
    """A webhook endpoint."""

    #: Webhook id.
    id: str
    #: Organization whose events it gets.
    organization_id: str
    #: Address that events are sent to.
    url: str
    #: Event types that are sent; all if empty.
    types: list[str]
    #: Time of creation.
    created_at: str
    #: Time at which it was disabled; null while it is enabled.
    disabled_at: str | None
    #: Why it was disabled.
    disabled_reason: str | None
    #: Until then deliveries are also signed with the previous secret.
    overlap_until: str | None


class WebhookDelivery(TypedDict):
    """Delivery of one event to one webhook endpoint."""

    #: Event id.
    event_id: str
    #: The event.
    payload: ServiceEvent
    #: State of the delivery.
    state: Literal["pending", "delivered", "failed"]
    #: Attempts so far.
    attempts: int
    #: HTTP status of the last response; null without one.
    status: int | None
    #: Start of the last response, or why there was none.
    response: str
    #: Time of the next attempt; null if none follows.
    next_at: str | None
    #: Time at which it was delivered or given up.
    settled_at: str | None


class Organization(TypedDict):
    """An organization."""

    #: Organization id.
    id: str
    #: Name.
    name: str
    #: Highest tier of its keys and its dashboard.
    tier: Literal["public", "paid", "enterprise"]
    #: Requests per minute that all its keys share; null: each key has the limit of its tier.
    limit_per_minute: int | None
    #: Monthly quota; null if there is none.
    quota: UsageQuota | None
    #: Country whose prices it gets; null for the market of the service.
    market: str | None
    #: Whether its own prices also count in the common market.
    common_source: bool
    #: Whether it runs the service: its owners may change what all organizations share.
    runs_service: bool
    #: Time of creation.
    created_at: str


class AuditEntry(TypedDict):
    """An entry of the audit trail."""

    #: Entry id.
    id: str
    #: Time of the change.
    at: str
    #: E-mail address of the person, name and id of the API key, or the program that made the change.
    who: str
    #: Name of the person; null if not a current member.
    who_name: str | None
    #: What was done, such as `key.created`.
    action: str
    #: What was changed: an id or an e-mail address.
    subject: str
    #: Name of what was changed: the device of an appraisal or the name of a member; null if unknown.
    subject_name: str | None
    #: Further facts by name.
    detail: dict[str, str]


class AttentionItem(TypedDict):
    """Something that an owner should look at."""

    #: What is wrong.
    kind: Literal["clock_jumped", "source_down", "list_stale", "feed_failing", "import_failed", "key_expiring"]
    #: Name of the source, key, feed or list, or the format of the import.
    subject: str
    #: When it expires, failed or was last renewed, or since when it does not respond; null if unknown.
    at: str | None


class ConfirmedTacs(TypedDict):
    """Models that were learned for type allocation codes."""

    #: Confirmations of the organization.
    own: list[ConfirmedTac]
    #: Confirmations of all organizations together; null unless the caller operates the service.
    all: list[TacAgreement] | None


class ConfirmedTac(TypedDict):
    """A model that the organization confirmed for a TAC."""

    #: Type allocation code: the first 8 digits of an IMEI.
    tac: str
    #: Confirmed device.
    device_id: str
    #: Its name; null if the device is no longer in the registry.
    device_name: str | None
    #: Devices for which it was confirmed.
    units: int
    #: Time of the last confirmation.
    confirmed_at: str


class TacAgreement(TypedDict):
    """A confirmed model of a TAC over all organizations."""

    #: Type allocation code: the first 8 digits of an IMEI.
    tac: str
    #: Confirmed device.
    device_id: str
    #: Its name; null if the device is no longer in the registry.
    device_name: str | None
    #: Devices for which organizations confirmed it; 0 if only the operator did.
    units: int
    #: Organizations that confirmed it.
    organizations: int
    #: Whether the operator confirmed it.
    confirmed_for_all: bool
    #: Time of the last confirmation.
    confirmed_at: str


class CurrencyRate(TypedDict):
    """The exchange rate of a currency that the service uses."""

    #: ISO 4217 code.
    currency: str
    #: Units of the currency for one US dollar.
    rate: float
    #: Day of the rate.
    date: str
    #: Whether the rate is more than 45 days old.
    stale: bool
    #: Where the rate comes from, as in `exchange_rate`.
    source: Literal["imported", "ecb", "federal_reserve", "peg"]


class PhoneAccess(TypedDict):
    """How a phone opens the dashboard."""

    #: Addresses that work outside this machine; empty if there is none.
    urls: list[str]
    #: Whether the service listens on this machine only.
    is_loopback_only: bool
    #: Whether browsers give the page the camera, passkeys and installation.
    is_secure: bool
    #: Whether `BASE_URL` is set.
    has_base_url: bool
    #: Port of the service.
    port: int


class UploadsProfilesItem(TypedDict):

    #: Name.
    name: str
    #: Options.
    options: dict[str, str]


class UploadsMarketsItem(TypedDict):

    #: Code.
    code: str
    #: Name.
    name: str


class Uploads(TypedDict):
    """The current upload and what uploads can use."""

    #: Largest file; 0 if uploads are switched off.
    max_bytes: int
    #: Largest part of a file.
    part_bytes: int
    #: The unfinished or last upload of the caller; null if there is none.
    current: Upload | None
    #: Saved options of price lists.
    profiles: list[UploadsProfilesItem]
    #: Currencies with an exchange rate.
    currencies: list[str]
    #: Market of prices that name no country.
    default_market: str
    #: Markets that prices can belong to.
    markets: list[UploadsMarketsItem]


class UploadProgress(TypedDict):
    """Progress of the check or the import."""

    #: Rows read.
    rows: float
    #: Share of the file; null if unknown.
    percent: float | None
    #: Remark.
    note: str | None


class Upload(TypedDict):
    """A file that is being imported."""

    #: Upload id.
    id: str
    #: Format of the file.
    format: Literal["observations", "lists", "rates", "catalogue", "tac", "repairs", "open-repair"]
    #: Name of the file.
    file: str
    #: Size of the file.
    bytes: float
    #: Bytes received.
    received: float
    #: State; after `checked`, `failure` says why it cannot be imported, if it cannot.
    state: Literal["receiving", "checking", "checked", "running", "ended"]
    #: Who started it.
    by: str
    #: Time of its start.
    created_at: str
    #: Options of the import.
    options: dict[str, str]
    #: Result of the check; null before it.
    preview: UploadPreview | None
    #: Progress of the check or the import.
    progress: UploadProgress
    #: Why the check or the import failed.
    failure: str | None
    #: The import of this upload; null before it started.
    run: Import | None


class UploadPreviewUnknownModelsItem(TypedDict):

    #: Name.
    name: str
    #: Rows.
    count: float


class UploadPreviewAddedItem(TypedDict):

    #: Variant.
    variant_id: str
    #: Rows.
    rows: float


class UploadPreview(TypedDict):
    """Effect of importing the file."""

    #: Counts by name: `rows` read, `rejected`, and further ones by format.
    counts: dict[str, float]
    #: Rejected rows by reason.
    rejected_by: dict[str, float]
    #: Warnings by text, with the number of rows.
    remarks: dict[str, float]
    #: Models that the registry does not know, most frequent first.
    unknown_models: list[UploadPreviewUnknownModelsItem]
    #: Variants that would be added.
    added: list[UploadPreviewAddedItem]
    #: Remarks on the whole file.
    notes: list[str]
    #: Details of a price list; null for other formats.
    prices: PricePreview | None


class PricePreviewColumnsItem(TypedDict):

    #: Name in the file.
    name: str
    #: Field it is imported as; null if it is ignored.
    field: str | None
    #: First values.
    examples: list[str]


class PricePreviewImplied(TypedDict):
    """Values implied by the names of the columns."""

    #: Currency.
    currency: NotRequired[str]
    #: Whether purchases or sales.
    side: NotRequired[str]


class PricePreviewRejectedItem(TypedDict):

    #: Reason.
    reason: str
    #: The first of these rows.
    rows: list[UploadPreviewRow]


class PricePreviewUnknownConditionsItem(TypedDict):

    #: Word.
    word: str
    #: Rows with it.
    rows: float


class PricePreviewQuestionsItem(TypedDict):

    #: What the file does not say; also the option that answers it.
    name: Literal["side", "currency", "condition"]
    #: Likely answer.
    guess: str | None


class PricePreviewAssumed(TypedDict):
    """What holds for rows that do not state it; null if the columns are not recognised."""

    #: Country of prices that name none.
    market: str
    #: Currency of prices that name none.
    currency: str | None
    #: Whether prices contain VAT.
    vat: Literal["included", "excluded"]


class PricePreviewEffectLargestItem(TypedDict):

    #: Device.
    device_id: str
    #: Name.
    name: str
    #: Change.
    percent: float


class PricePreviewEffect(TypedDict):
    """Effect of the list on prices; null if its columns are not recognised."""

    #: One sentence.
    text: str
    #: Average change of prices.
    average_percent: float
    #: Largest changes.
    largest: list[PricePreviewEffectLargestItem]
    #: Whether prices change so much that a person should confirm it.
    is_large: bool


class PricePreview(TypedDict):
    """Effect of importing a price list."""

    #: Columns and their fields.
    columns: list[PricePreviewColumnsItem]
    #: Values implied by the names of the columns.
    implied: PricePreviewImplied
    #: The first rows.
    rows: list[UploadPreviewRow]
    #: Rejected rows by reason.
    rejected: list[PricePreviewRejectedItem]
    #: Condition words that are not recognised.
    unknown_conditions: list[PricePreviewUnknownConditionsItem]
    #: Questions about the whole file; nothing is imported until they are answered.
    questions: list[PricePreviewQuestionsItem]
    #: What holds for rows that do not state it; null if the columns are not recognised.
    assumed: PricePreviewAssumed | None
    #: Effect of the list on prices; null if its columns are not recognised.
    effect: PricePreviewEffect | None


class UploadPreviewRow(TypedDict):
    """A row of the file and its result."""

    #: Line of the file.
    line: float
    #: The row as it is in the file.
    raw: str
    #: The price it contains; null if the row is rejected.
    parsed: ParsedPrice | None
    #: Why it is rejected.
    problem: str | None


class ParsedPrice(TypedDict):
    """A price as the importer understood it."""

    #: Device.
    device_id: str
    #: Variant; null if the row does not identify one.
    variant_id: str | None
    #: Configuration as text.
    configuration: str
    #: Condition grade.
    grade: str
    #: Whether a purchase or a sale.
    side: str
    #: Price in US cents.
    cents: float
    #: Day of the price.
    day: str


class Import(TypedDict):
    """One import."""

    #: Import id.
    id: str
    #: Format of the file.
    format: str
    #: Time of the start.
    started_at: str
    #: Time of the end; null before it.
    finished_at: str | None
    #: `unfinished`: running, or interrupted.
    state: Literal["done", "failed", "unfinished"]
    #: Counts by name: `rows` read, `rejected`, and further ones by format.
    counts: dict[str, float]
    #: Name of the file. This and the fields below: for the operator only.
    file: NotRequired[str]
    #: Why it failed.
    failure: NotRequired[str | None]
    #: Rejected rows by reason.
    rejected_by: NotRequired[dict[str, float]]
    #: Whether the rejected rows can be downloaded.
    has_report: NotRequired[bool]
    #: Whether its prices can be removed.
    can_undo: NotRequired[bool]
    #: Time at which its prices were removed.
    undone_at: NotRequired[str | None]


class Feed(TypedDict):
    """A file that the service fetches and imports by schedule."""

    #: Name.
    name: str
    #: Format of the file.
    format: str
    #: Cron expression; null for a feed without a schedule.
    schedule: str | None
    #: Time zone of the schedule.
    time_zone: str | None
    #: Time of the last run; null if it never ran.
    last_run_at: str | None
    #: Result of the last run; `unfinished`: running, or interrupted.
    outcome: Literal["imported", "unchanged", "failed", "stopped", "unfinished"] | None
    #: Time of the last success.
    last_success_at: str | None
    #: Time of the last failure.
    last_failure_at: str | None
    #: Time of the next run.
    next_run_at: str | None
    #: Address without secrets. This and the fields below: for the operator only.
    url: NotRequired[str]
    #: End of the last run; null while it runs.
    finished_at: NotRequired[str | None]
    #: Why the last failed run failed.
    failure: NotRequired[str | None]
    #: Failed runs since the last success.
    failures: NotRequired[int]


class ServiceSettingsEnvironmentItem(TypedDict):

    #: Variable.
    name: str
    #: Value; secrets are masked.
    value: str
    #: Meaning.
    description: str


class ServiceSettingsFeedFormatsItem(TypedDict):

    #: Format.
    name: str
    #: Its options.
    options: list[str]
    #: Its options without a value.
    flags: list[str]


# Mail server of `SMTP_URL`; null if it is not set.
ServiceSettingsMail = TypedDict(
    "ServiceSettingsMail",
    {
        #: Mail server.
        "server": "str",
        #: Sender.
        "from": "str",
    },
)


class ServiceSettingsBaseUrl(TypedDict):
    """Public address of the service."""

    #: Address.
    url: str
    #: Whether `BASE_URL` is set.
    is_set: bool
    #: Whether it is HTTPS.
    is_secure: bool
    #: Whether it works on this machine only.
    is_loopback: bool


class ServiceSettingsMarketsItem(TypedDict):

    #: Code.
    code: str
    #: Name.
    name: str


class ServiceSettings(TypedDict):
    """Settings of the whole service."""

    #: Settings that can be changed.
    settings: list[ServiceSetting]
    #: Settings of the environment.
    environment: list[ServiceSettingsEnvironmentItem]
    #: Identifier sources.
    sources: list[IdentifierSource]
    #: Feeds.
    feeds: list[ServiceFeed]
    #: Formats of feeds.
    feed_formats: list[ServiceSettingsFeedFormatsItem]
    #: Backups.
    backup: Backups
    #: Mail server of `SMTP_URL`; null if it is not set.
    mail: ServiceSettingsMail | None
    #: Public address of the service.
    base_url: ServiceSettingsBaseUrl
    #: Values of `MARKET`.
    markets: list[ServiceSettingsMarketsItem]


class ServiceSetting(TypedDict):
    """A setting of the service."""

    #: Name.
    name: Literal["MARKET", "SAMPLE_DATA", "LOOKUP_RETENTION_DAYS"]
    #: Value in effect.
    value: str
    #: Default.
    default_value: str
    #: Where the value comes from. One of the environment cannot be changed here.
    source: Literal["environment", "page", "default"]


class IdentifierSource(TypedDict):
    """A source that lookups query."""

    #: Name.
    name: str
    #: Definition without headers and client secret.
    definition: dict[str, Any]
    #: Host of its address.
    host: str
    #: Types of identifiers it is queried about.
    identifiers: list[str]
    #: Lists it speaks for.
    speaks_for: list[str]
    #: Names of its secret headers.
    header_names: list[str]
    #: Whether a client secret is stored.
    has_client_secret: bool
    #: Why it does not respond; null if it does or was not queried yet.
    outage: str | None


class ServiceFeed(TypedDict):
    """A feed with its settings."""

    #: Name.
    name: str
    #: Format of the file.
    format: str
    #: Cron expression; null for a feed without a schedule.
    schedule: str | None
    #: Time zone of the schedule.
    time_zone: str | None
    #: Time of the last run; null if it never ran.
    last_run_at: str | None
    #: Result of the last run; `unfinished`: running, or interrupted.
    outcome: Literal["imported", "unchanged", "failed", "stopped", "unfinished"] | None
    #: Time of the last success.
    last_success_at: str | None
    #: Time of the last failure.
    last_failure_at: str | None
    #: Time of the next run.
    next_run_at: str | None
    #: Address without secrets. This and the fields below: for the operator only.
    url: NotRequired[str]
    #: End of the last run; null while it runs.
    finished_at: NotRequired[str | None]
    #: Why the last failed run failed.
    failure: str | None
    #: Failed runs since the last success.
    failures: NotRequired[int]
    #: Address.
    address: str
    #: Options of the import by name; `true` for one without a value, such as `clears`.
    options: dict[str, str | Literal[True]]
    #: Whether its schedule is paused.
    is_paused: bool
    #: Names of its secret headers.
    header_names: list[str]


class BackupsFilesItem(TypedDict):

    #: Name.
    name: str
    #: Size.
    bytes: int
    #: Time of its end.
    created_at: str


class Backups(TypedDict):
    """Backups of the embedded database."""

    #: False with PostgreSQL, which is backed up with its own tools.
    is_supported: bool
    #: Whether a backup is running.
    is_running: bool
    #: Time of the last backup.
    last_at: str | None
    #: Folder of the files.
    folder: str
    #: Files, newest first.
    files: list[BackupsFilesItem]
    #: Why the last backup failed.
    failure: str | None


class SourceTest(TypedDict):
    """Result of one query of a source."""

    #: Result.
    outcome: Literal["answered", "failed", "not_asked"]
    #: Why there is no result.
    reason: str | None
    #: Duration.
    duration_ms: float
    #: Facts by name.
    facts: dict[str, str]
    #: Codes of findings.
    findings: list[str]


class EntryChanges(TypedDict):
    """Changes of a list, by the names of its entries."""

    #: New entries.
    added: list[str]
    #: Changed entries.
    changed: list[str]
    #: Removed entries.
    removed: list[str]
    #: Entries that stayed as they were.
    unchanged: list[str]


class MailTest(TypedDict):
    """Result of a test message."""

    #: Result.
    outcome: Literal["sent", "failed"]
    #: Error with the response of the mail server; null if it took the message.
    reason: str | None


class Member(TypedDict):
    """A member of an organization."""

    #: Account id.
    id: str
    #: E-mail address.
    email: str
    #: Name.
    name: str
    #: Role in the organization.
    role: Literal["owner", "manager", "clerk"]
    #: Time of joining.
    joined_at: str
    #: Last use of a session; null if there is none.
    seen_at: str | None
    #: Whether the person has a second factor.
    second_factor: bool
    #: Whether password, second factor and address can be reset: not those of the caller.
    may_reset: bool
    #: Whether this is the person who sent the request; false for API keys.
    you: bool


class Invitation(TypedDict):
    """An open invitation."""

    #: Invitation id.
    id: str
    #: E-mail address.
    email: str
    #: Role after joining.
    role: Literal["owner", "manager", "clerk"]
    #: Who invited them.
    invited_by: str
    #: Time of the invitation.
    created_at: str
    #: Time at which its link stops working.
    expires_at: str


class ObservationRow(TypedDict):
    """One observed price."""

    #: Your id of the deal. A row with the same id replaces the earlier one.
    listing_id: str
    #: The variant, if known; takes precedence over the fields below.
    variant_id: NotRequired[str]
    #: Instead of `variant_id`: SKU in the registry.
    sku: NotRequired[str]
    #: Instead of `variant_id`: manufacturer part number.
    part_number: NotRequired[str]
    #: Instead of `variant_id`: listing title or model name, matched like `GET /api/match`.
    title: NotRequired[str]
    #: With `title`: the make.
    make: NotRequired[str]
    #: With `title`: the storage, such as `128GB`.
    storage: NotRequired[str]
    #: With `title`: the memory.
    ram: NotRequired[str]
    #: With `title`: the color.
    color: NotRequired[str]
    #: `Excellent`, `Good`, `Fair`, `Poor`, or another grade word known to the import; `damaged`, `broken` or `no power` for a defective device.
    condition: str
    #: Amount paid, asked or offered, in minor units of `currency`.
    amount: int
    #: True if the amount is right although it is far from what launch price and existing prices allow. The row is stored, and counts for prices once two other prices agree with it.
    confirm_amount: NotRequired[bool]
    #: ISO 4217 code.
    currency: NotRequired[str]
    #: Date or time of the deal.
    observed_at: str
    #: `sold` (default): a completed deal. `ask`: an asking price. `quote`: an offer made to a seller.
    side: NotRequired[Literal["sold", "ask", "quote"]]
    #: Country of the deal, such as `hr`. Absent: the currency's, or your organization's market.
    country: NotRequired[str]
    #: Carrier or lock, such as `unlocked`.
    lock: NotRequired[str]


class OutcomeRow(TypedDict):
    """Outcome of one appraised device."""

    #: The appraisal.
    appraisal_id: str
    #: `bought`: you bought the device. `declined`: there was no deal. `sold`: you sold the device you bought.
    status: Literal["bought", "declined", "sold"]
    #: Price paid (`bought`) or received (`sold`), in minor units of `currency`. Required for both.
    price: NotRequired[int]
    #: True if the price is right although it is far from what launch price and existing prices allow. The deal is stored, and counts for prices once two others agree with it.
    confirm_amount: NotRequired[bool]
    #: ISO 4217 code of `price`. Default: the currency of the appraisal.
    currency: NotRequired[str]
    #: With `declined`: who declined, you or the customer.
    declined_by: NotRequired[Literal["shop", "customer"]]
    #: Day of the deal. Default: the day recorded earlier for this status, otherwise today in `time_zone`.
    date: NotRequired[str]
    #: Time zone of the day, such as `Europe/Vilnius`. Default: UTC.
    time_zone: NotRequired[str]
    #: Your note. Absent: the earlier note is kept; an empty text removes it.
    note: NotRequired[str]


class RemoveObservationsData(TypedDict):

    #: Prices removed.
    observations: int
    #: Prices that were restored.
    restored: int
    #: Devices whose prices are recalculated.
    devices: int


class CreateShareBody(TypedDict):

    #: Facts to show.
    facts: list[Literal["device", "identifier", "grade", "check", "offer", "reference"]]
    #: Time zone of the shop, such as `Europe/Vilnius`. Default: UTC.
    time_zone: NotRequired[str]


class CreateKeyBody(TypedDict):

    #: Name.
    name: str
    #: Tier; at most that of the organization and of the key that creates it.
    tier: Literal["public", "paid", "enterprise"]
    #: Last day (UTC) on which it works; no expiry if absent.
    expires_on: NotRequired[str | None]
    #: Rights; none if absent.
    rights: NotRequired[list[Literal["contribute", "manage", "operate"]]]
    #: Requests per minute; null for the limit of its tier.
    limit_per_minute: NotRequired[int | None]
    #: Addresses and networks it may be used from; all if absent.
    allowed_addresses: NotRequired[list[str]]


class CreateKeyData(TypedDict):

    #: The API key. It is shown once: absent in a repeated response.
    secret: NotRequired[str]
    key: ApiKey


class ChangeKeyBody(TypedDict):

    #: New name.
    name: NotRequired[str]
    #: Requests per minute; null for the limit of its tier.
    limit_per_minute: NotRequired[int | None]
    #: Addresses and networks it may be used from; empty for all.
    allowed_addresses: NotRequired[list[str]]


class RotateKeyBody(TypedDict):

    #: Days for which the old key keeps working.
    overlap_days: int


class RotateKeyData(TypedDict):

    #: The API key. It is shown once: absent in a repeated response.
    secret: NotRequired[str]
    key: ApiKey


class ChangePolicyBody(TypedDict):

    #: Currency of the amounts, and of offers unless the request names another.
    currency: NotRequired[str | None]
    #: Required profit, in percent of the sale price.
    target_margin_percent: NotRequired[float | None]
    #: Minimum profit per device.
    min_profit: NotRequired[int | None]
    #: Selling fee in percent of the sale price: marketplace, payment, shipping.
    selling_fee_percent: NotRequired[float | None]
    #: Labour cost per hour.
    labour_per_hour: NotRequired[int | None]
    #: Cost per day until the sale: space, capital, insurance.
    holding_cost_per_day: NotRequired[int | None]
    #: Maximum probability that a deal loses money.
    max_loss_probability: NotRequired[float | None]
    #: Action at risk level `low`.
    action_at_low_risk: NotRequired[Literal["offer", "inspect", "reject"] | None]
    #: Action at risk level `medium`.
    action_at_medium_risk: NotRequired[Literal["offer", "inspect", "reject"] | None]
    #: Action at risk level `high`.
    action_at_high_risk: NotRequired[Literal["offer", "inspect", "reject"] | None]
    #: Action at risk level `critical`. Blacklisted devices are always rejected.
    action_at_critical_risk: NotRequired[Literal["offer", "inspect", "reject"] | None]
    #: Action if no identifier was given.
    action_without_identifier: NotRequired[Literal["offer", "inspect", "reject"] | None]
    #: Maximum risk points from checks that could not be made; above it the decision is `inspect`.
    max_unverified_risk_points: NotRequired[int | None]
    #: Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand.
    min_confidence: NotRequired[int | None]
    #: Offers are rounded down to a multiple of this.
    offer_rounding: NotRequired[int | None]
    clerk_offer_limit: NotRequired[int | None | None]
    #: Whether clerks see resale plans, costs, margins and expected profit.
    clerks_see_margins: NotRequired[bool | None]
    #: Whether the prices of the organization's own deals count in its prices.
    uses_deals: NotRequired[bool]


class GetReceiptDetailsData(TypedDict):

    #: Name of the shop; empty for the name of the organization.
    shop_name: str
    #: Postal address, one line each.
    address: str
    #: Phone, email or web address.
    contact: str
    #: VAT or tax number.
    vat_id: str
    #: Days an offer is valid; 0 for none printed.
    valid_days: int
    #: What the seller confirms with the signature.
    terms: str
    #: Logo as a data URL; empty for none.
    logo: str
    #: Language of receipts and of the verification page; empty for that of the person who prints.
    language: Literal["", "en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"]
    #: Whether the shop's copy has blank lines for the seller's name and ID document.
    seller_lines: bool


class ReplaceReceiptDetailsBody(TypedDict):

    #: Name of the shop; empty for the name of the organization.
    shop_name: str
    #: Postal address, one line each.
    address: str
    #: Phone, email or web address.
    contact: str
    #: VAT or tax number.
    vat_id: str
    #: Days an offer is valid; 0 for none printed.
    valid_days: int
    #: What the seller confirms with the signature.
    terms: str
    #: Logo as a data URL; empty for none.
    logo: str
    #: Language of receipts and of the verification page; empty for that of the person who prints.
    language: NotRequired[Literal["", "en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"]]
    #: Whether the shop's copy has blank lines for the seller's name and ID document.
    seller_lines: NotRequired[bool]


class ReplaceReceiptDetailsData(TypedDict):

    #: Name of the shop; empty for the name of the organization.
    shop_name: str
    #: Postal address, one line each.
    address: str
    #: Phone, email or web address.
    contact: str
    #: VAT or tax number.
    vat_id: str
    #: Days an offer is valid; 0 for none printed.
    valid_days: int
    #: What the seller confirms with the signature.
    terms: str
    #: Logo as a data URL; empty for none.
    logo: str
    #: Language of receipts and of the verification page; empty for that of the person who prints.
    language: Literal["", "en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"]
    #: Whether the shop's copy has blank lines for the seller's name and ID document.
    seller_lines: bool


class CreateWebhookBody(TypedDict):

    #: Address that events are sent to: https, on the internet.
    url: str
    #: Event types to send; all if absent or empty.
    types: NotRequired[list[Literal["identifier.status_changed", "price.changed", "import.finished", "key.expiring", "appraisal.created", "appraisal.bought", "appraisal.declined", "appraisal.sold", "appraisal.reopened", "webhook.disabled", "webhook.test", "usage.threshold_reached"]]]


class CreateWebhookData(TypedDict):

    #: Signing secret. It is shown once: absent in a repeated response.
    secret: NotRequired[str]
    webhook: Webhook


class ChangeWebhookBody(TypedDict):

    #: Whether events are sent to it.
    enabled: Literal[True]


class RotateWebhookSecretBody(TypedDict):

    #: Hours for which deliveries are also signed with the old secret.
    overlap_hours: int


class RotateWebhookSecretData(TypedDict):

    #: Signing secret. It is shown once: absent in a repeated response.
    secret: NotRequired[str]


class TestWebhookData(TypedDict):

    #: Id of the test event.
    event_id: str


ReplayWebhookDeliveriesBody = TypedDict(
    "ReplayWebhookDeliveriesBody",
    {
        #: The event to send again. Give this or `from` and `to`.
        "event_id": "NotRequired[str]",
        #: Time of the first event.
        "from": "NotRequired[str]",
        #: End of the range, exclusive.
        "to": "NotRequired[str]",
        #: Whether to send only events of the range whose delivery failed.
        "only_failed": "NotRequired[bool]",
    },
)


class ReplayWebhookDeliveriesData(TypedDict):

    #: Number of events.
    replayed: int


class CreateOrganizationBodyQuota(TypedDict):
    """Monthly quota; null for none."""

    #: Requests per calendar month (UTC).
    monthly_requests: int
    #: Whether requests beyond it are rejected with 429.
    is_hard: NotRequired[bool]


class CreateOrganizationBody(TypedDict):

    #: Name.
    name: str
    #: Highest tier of its keys and its dashboard.
    tier: NotRequired[Literal["public", "paid", "enterprise"]]
    #: Requests per minute that all its keys share; null: each key has the limit of its tier.
    limit_per_minute: NotRequired[int | None]
    #: Monthly quota; null for none.
    quota: NotRequired[CreateOrganizationBodyQuota | None]
    #: Country whose prices it gets, such as `de`; null for that of the service.
    market: NotRequired[str | None]
    #: Whether its own prices also count in the common market.
    common_source: NotRequired[bool]
    #: Makes it the organization that runs the service, instead of the one that does now.
    runs_service: NotRequired[Literal[True]]


class ChangeOrganizationBodyQuota(TypedDict):
    """Monthly quota; null for none."""

    #: Requests per calendar month (UTC).
    monthly_requests: int
    #: Whether requests beyond it are rejected with 429.
    is_hard: NotRequired[bool]


class ChangeOrganizationBody(TypedDict):

    #: Name.
    name: NotRequired[str]
    #: Highest tier of its keys and its dashboard.
    tier: NotRequired[Literal["public", "paid", "enterprise"]]
    #: Requests per minute that all its keys share; null: each key has the limit of its tier.
    limit_per_minute: NotRequired[int | None]
    #: Monthly quota; null for none.
    quota: NotRequired[ChangeOrganizationBodyQuota | None]
    #: Country whose prices it gets, such as `de`; null for that of the service.
    market: NotRequired[str | None]
    #: Whether its own prices also count in the common market.
    common_source: NotRequired[bool]
    #: Makes it the organization that runs the service, instead of the one that does now.
    runs_service: NotRequired[Literal[True]]


class ConfirmTacBody(TypedDict):

    #: The confirmed device.
    device_id: str


class CreateUploadBody(TypedDict):

    #: Format of the file.
    format: Literal["observations", "lists", "rates", "catalogue", "tac", "repairs", "open-repair"]
    #: Name of the file.
    file: str
    #: Size of the file.
    bytes: int


class SendUploadPartBody(TypedDict):

    #: Offset of the part in the file.
    at: int
    #: Bytes of the part in base64.
    content: str


class SendUploadPartData(TypedDict):

    #: Bytes received so far.
    received: int


class CheckUploadBody(TypedDict):

    #: Options of the import by name.
    options: dict[str, str]


class UndoImportData(TypedDict):

    #: Prices removed.
    observations: int
    #: Prices that were restored.
    restored: int
    #: Devices whose prices are recalculated.
    devices: int


class ChangeServiceSettingsBody(TypedDict):

    #: Market of organizations without their own.
    MARKET: NotRequired[str | None]
    #: `on` or `off`.
    SAMPLE_DATA: NotRequired[str | None]
    #: Days after which lookups are deleted; 0: never.
    LOOKUP_RETENTION_DAYS: NotRequired[str | None]


class PutSourceBody(TypedDict):

    #: Definition of a source, as docs/risk.md describes it.
    definition: dict[str, Any]
    #: Secret headers of the request. Written only: responses name them.
    headers: NotRequired[dict[str, str]]
    #: Secret of `request.oauth`. Written only.
    client_secret: NotRequired[str]


class TestSourceBody(TypedDict):

    #: A stored source; without `definition` only.
    name: NotRequired[str]
    #: Definition of a source, as docs/risk.md describes it.
    definition: NotRequired[dict[str, Any]]
    #: Secret headers of the request. Written only: responses name them.
    headers: NotRequired[dict[str, str]]
    #: Secret of `request.oauth`. Written only.
    client_secret: NotRequired[str]
    #: Identifier to query.
    identifier: str


class ReplaceSourcesBody(TypedDict):

    #: Definitions of the sources.
    sources: list[dict[str, Any]]


class PutFeedBody(TypedDict):

    #: Format of the file.
    format: str
    #: Address of the file.
    url: str
    #: Cron expression; null: run by hand.
    schedule: NotRequired[str | None]
    #: Time zone of the schedule.
    time_zone: NotRequired[str]
    #: Options of the import by name; `true` for one without a value, such as `clears`.
    options: NotRequired[dict[str, str | Literal[True]]]
    #: Secret headers of the request. Written only: responses name them.
    headers: NotRequired[dict[str, str]]
    #: Whether its schedule is paused; absent: as before.
    is_paused: NotRequired[bool]


class ReplaceFeedsBody(TypedDict):

    #: Feeds with their `name`, as in `putFeed`.
    feeds: list[dict[str, Any]]


class SendTestMailBody(TypedDict):

    #: Recipient.
    to: str


class ListMembersData(TypedDict):

    #: Members.
    members: list[Member]
    #: Open invitations.
    invitations: list[Invitation]


class InviteMemberBody(TypedDict):

    #: E-mail address.
    email: str
    #: Role after joining.
    role: Literal["owner", "manager", "clerk"]


class InviteMemberData(TypedDict):

    #: Link for the person; shown once.
    link: str
    #: Time at which the link stops working.
    expires_at: str
    #: Whether it was sent to the person by e-mail.
    mailed: bool


class ChangeMemberRoleBody(TypedDict):

    #: New role.
    role: Literal["owner", "manager", "clerk"]


class ResetMemberPasswordData(TypedDict):

    #: Link for the person; shown once.
    link: str
    #: Time at which the link stops working.
    expires_at: str
    #: Whether it was sent to the person by e-mail.
    mailed: bool


class ChangeMemberEmailBody(TypedDict):

    #: New e-mail address.
    email: str


class GetSettingsData(TypedDict):

    #: Name of the organization.
    name: str
    #: Country whose prices it gets; null for the market of the service.
    market: str | None
    #: Currency of its policy and its dashboard.
    currency: str
    #: Market of the service.
    service_market: str


class ChangeSettingsBody(TypedDict):

    #: Name of the organization.
    name: NotRequired[str]
    #: Country whose prices it gets, such as `de`; null for the market of the service.
    market: NotRequired[str | None]
    #: Currency of its policy and of its dashboard.
    currency: NotRequired[str]


class ChangeSettingsData(TypedDict):

    #: Name of the organization.
    name: str
    #: Country whose prices it gets; null for the market of the service.
    market: str | None
    #: Currency of its policy and its dashboard.
    currency: str
    #: Market of the service.
    service_market: str


OPERATIONS: dict[str, Operation] = {
    "listDevices": {"method": "GET", "path": "/api/devices", "takes_idempotency_key": False, "is_idempotent": True},
    "getDevice": {"method": "GET", "path": "/api/devices/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "listVariants": {"method": "GET", "path": "/api/variants", "takes_idempotency_key": False, "is_idempotent": True},
    "getVariant": {"method": "GET", "path": "/api/variants/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "matchText": {"method": "GET", "path": "/api/match", "takes_idempotency_key": False, "is_idempotent": True},
    "listCategories": {"method": "GET", "path": "/api/meta/categories", "takes_idempotency_key": False, "is_idempotent": True},
    "listMakes": {"method": "GET", "path": "/api/meta/makes", "takes_idempotency_key": False, "is_idempotent": True},
    "listConditions": {"method": "GET", "path": "/api/meta/conditions", "takes_idempotency_key": False, "is_idempotent": True},
    "listDefects": {"method": "GET", "path": "/api/meta/defects", "takes_idempotency_key": False, "is_idempotent": True},
    "getPricing": {"method": "GET", "path": "/api/pricing", "takes_idempotency_key": False, "is_idempotent": True},
    "priceVariants": {"method": "POST", "path": "/api/pricing/batch", "takes_idempotency_key": False, "is_idempotent": True},
    "listLowestPrices": {"method": "GET", "path": "/api/pricing/lowest", "takes_idempotency_key": False, "is_idempotent": True},
    "contributeObservations": {"method": "POST", "path": "/api/observations", "takes_idempotency_key": False, "is_idempotent": True},
    "removeObservations": {"method": "DELETE", "path": "/api/manage/observations", "takes_idempotency_key": False, "is_idempotent": True},
    "getRepairs": {"method": "GET", "path": "/api/repairs", "takes_idempotency_key": False, "is_idempotent": True},
    "assessIdentifier": {"method": "POST", "path": "/api/imei", "takes_idempotency_key": True, "is_idempotent": False},
    "listLookups": {"method": "GET", "path": "/api/imei", "takes_idempotency_key": False, "is_idempotent": True},
    "assessIdentifiers": {"method": "POST", "path": "/api/imei/batch", "takes_idempotency_key": True, "is_idempotent": False},
    "getLookup": {"method": "GET", "path": "/api/imei/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "listSandbox": {"method": "GET", "path": "/api/meta/sandbox", "takes_idempotency_key": False, "is_idempotent": True},
    "appraiseDevice": {"method": "POST", "path": "/api/appraisals", "takes_idempotency_key": True, "is_idempotent": False},
    "listAppraisals": {"method": "GET", "path": "/api/appraisals", "takes_idempotency_key": False, "is_idempotent": True},
    "appraiseDevices": {"method": "POST", "path": "/api/appraisals/batch", "takes_idempotency_key": True, "is_idempotent": False},
    "previewAppraisal": {"method": "POST", "path": "/api/appraisals/preview", "takes_idempotency_key": False, "is_idempotent": True},
    "listAppraisedDevices": {"method": "GET", "path": "/api/appraisals/devices", "takes_idempotency_key": False, "is_idempotent": True},
    "getAppraisal": {"method": "GET", "path": "/api/appraisals/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "recordOutcome": {"method": "POST", "path": "/api/appraisals/{id}/outcome", "takes_idempotency_key": True, "is_idempotent": True},
    "removeOutcome": {"method": "DELETE", "path": "/api/appraisals/{id}/outcome", "takes_idempotency_key": False, "is_idempotent": True},
    "recordOutcomes": {"method": "POST", "path": "/api/appraisals/outcomes", "takes_idempotency_key": True, "is_idempotent": True},
    "listShares": {"method": "GET", "path": "/api/appraisals/{id}/shares", "takes_idempotency_key": False, "is_idempotent": True},
    "createShare": {"method": "POST", "path": "/api/appraisals/{id}/shares", "takes_idempotency_key": True, "is_idempotent": False},
    "revokeShare": {"method": "DELETE", "path": "/api/appraisals/{id}/shares/{share_id}", "takes_idempotency_key": False, "is_idempotent": True},
    "getDealReport": {"method": "GET", "path": "/api/reports/deals", "takes_idempotency_key": False, "is_idempotent": True},
    "createWatch": {"method": "POST", "path": "/api/watches", "takes_idempotency_key": False, "is_idempotent": True},
    "listWatches": {"method": "GET", "path": "/api/watches", "takes_idempotency_key": False, "is_idempotent": True},
    "deleteWatch": {"method": "DELETE", "path": "/api/watches/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "listEvents": {"method": "GET", "path": "/api/events", "takes_idempotency_key": False, "is_idempotent": True},
    "getUsage": {"method": "GET", "path": "/api/usage", "takes_idempotency_key": False, "is_idempotent": True},
    "getUsageByHour": {"method": "GET", "path": "/api/usage/hours", "takes_idempotency_key": False, "is_idempotent": True},
    "listRequests": {"method": "GET", "path": "/api/usage/requests", "takes_idempotency_key": False, "is_idempotent": True},
    "listKeys": {"method": "GET", "path": "/api/manage/keys", "takes_idempotency_key": False, "is_idempotent": True},
    "createKey": {"method": "POST", "path": "/api/manage/keys", "takes_idempotency_key": True, "is_idempotent": False},
    "changeKey": {"method": "PATCH", "path": "/api/manage/keys/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "revokeKey": {"method": "DELETE", "path": "/api/manage/keys/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "rotateKey": {"method": "POST", "path": "/api/manage/keys/{id}/rotate", "takes_idempotency_key": True, "is_idempotent": False},
    "getPolicy": {"method": "GET", "path": "/api/manage/policy", "takes_idempotency_key": False, "is_idempotent": True},
    "changePolicy": {"method": "PATCH", "path": "/api/manage/policy", "takes_idempotency_key": False, "is_idempotent": True},
    "getReceiptDetails": {"method": "GET", "path": "/api/manage/receipt", "takes_idempotency_key": False, "is_idempotent": True},
    "replaceReceiptDetails": {"method": "PUT", "path": "/api/manage/receipt", "takes_idempotency_key": False, "is_idempotent": True},
    "listWebhooks": {"method": "GET", "path": "/api/manage/webhooks", "takes_idempotency_key": False, "is_idempotent": True},
    "createWebhook": {"method": "POST", "path": "/api/manage/webhooks", "takes_idempotency_key": True, "is_idempotent": False},
    "changeWebhook": {"method": "PATCH", "path": "/api/manage/webhooks/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "removeWebhook": {"method": "DELETE", "path": "/api/manage/webhooks/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "rotateWebhookSecret": {"method": "POST", "path": "/api/manage/webhooks/{id}/rotate", "takes_idempotency_key": True, "is_idempotent": False},
    "testWebhook": {"method": "POST", "path": "/api/manage/webhooks/{id}/test", "takes_idempotency_key": True, "is_idempotent": False},
    "listWebhookDeliveries": {"method": "GET", "path": "/api/manage/webhooks/{id}/deliveries", "takes_idempotency_key": False, "is_idempotent": True},
    "replayWebhookDeliveries": {"method": "POST", "path": "/api/manage/webhooks/{id}/replay", "takes_idempotency_key": False, "is_idempotent": True},
    "listOrganizations": {"method": "GET", "path": "/api/manage/organizations", "takes_idempotency_key": False, "is_idempotent": True},
    "createOrganization": {"method": "POST", "path": "/api/manage/organizations", "takes_idempotency_key": True, "is_idempotent": False},
    "getOrganization": {"method": "GET", "path": "/api/manage/organizations/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "changeOrganization": {"method": "PATCH", "path": "/api/manage/organizations/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "removeOrganization": {"method": "DELETE", "path": "/api/manage/organizations/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "listAuditEntries": {"method": "GET", "path": "/api/manage/audit", "takes_idempotency_key": False, "is_idempotent": True},
    "listAttention": {"method": "GET", "path": "/api/manage/attention", "takes_idempotency_key": False, "is_idempotent": True},
    "listTacs": {"method": "GET", "path": "/api/manage/tacs", "takes_idempotency_key": False, "is_idempotent": True},
    "confirmTac": {"method": "PUT", "path": "/api/manage/tacs/{tac}", "takes_idempotency_key": False, "is_idempotent": True},
    "forgetTac": {"method": "DELETE", "path": "/api/manage/tacs/{tac}", "takes_idempotency_key": False, "is_idempotent": True},
    "listRates": {"method": "GET", "path": "/api/manage/rates", "takes_idempotency_key": False, "is_idempotent": True},
    "updateRates": {"method": "POST", "path": "/api/manage/rates/update", "takes_idempotency_key": False, "is_idempotent": True},
    "getPhoneAccess": {"method": "GET", "path": "/api/manage/phone", "takes_idempotency_key": False, "is_idempotent": True},
    "getUploads": {"method": "GET", "path": "/api/manage/uploads", "takes_idempotency_key": False, "is_idempotent": True},
    "createUpload": {"method": "POST", "path": "/api/manage/uploads", "takes_idempotency_key": True, "is_idempotent": False},
    "sendUploadPart": {"method": "POST", "path": "/api/manage/uploads/{id}/parts", "takes_idempotency_key": False, "is_idempotent": True},
    "getUpload": {"method": "GET", "path": "/api/manage/uploads/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "discardUpload": {"method": "DELETE", "path": "/api/manage/uploads/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "checkUpload": {"method": "POST", "path": "/api/manage/uploads/{id}/check", "takes_idempotency_key": True, "is_idempotent": False},
    "runUpload": {"method": "POST", "path": "/api/manage/uploads/{id}/run", "takes_idempotency_key": True, "is_idempotent": False},
    "stopUpload": {"method": "POST", "path": "/api/manage/uploads/{id}/stop", "takes_idempotency_key": False, "is_idempotent": True},
    "listImports": {"method": "GET", "path": "/api/manage/imports", "takes_idempotency_key": False, "is_idempotent": True},
    "getRejectedRows": {"method": "GET", "path": "/api/manage/imports/{id}/rejected", "takes_idempotency_key": False, "is_idempotent": True},
    "undoImport": {"method": "POST", "path": "/api/manage/imports/{id}/undo", "takes_idempotency_key": True, "is_idempotent": False},
    "retryImport": {"method": "POST", "path": "/api/manage/imports/{id}/retry", "takes_idempotency_key": True, "is_idempotent": False},
    "listFeeds": {"method": "GET", "path": "/api/manage/feeds", "takes_idempotency_key": False, "is_idempotent": True},
    "getServiceSettings": {"method": "GET", "path": "/api/manage/service", "takes_idempotency_key": False, "is_idempotent": True},
    "changeServiceSettings": {"method": "PATCH", "path": "/api/manage/service", "takes_idempotency_key": False, "is_idempotent": True},
    "putSource": {"method": "PUT", "path": "/api/manage/service/sources/{name}", "takes_idempotency_key": False, "is_idempotent": True},
    "removeSource": {"method": "DELETE", "path": "/api/manage/service/sources/{name}", "takes_idempotency_key": False, "is_idempotent": True},
    "testSource": {"method": "POST", "path": "/api/manage/service/sources/test", "takes_idempotency_key": False, "is_idempotent": True},
    "replaceSources": {"method": "PUT", "path": "/api/manage/service/sources", "takes_idempotency_key": False, "is_idempotent": True},
    "putFeed": {"method": "PUT", "path": "/api/manage/service/feeds/{name}", "takes_idempotency_key": False, "is_idempotent": True},
    "removeFeed": {"method": "DELETE", "path": "/api/manage/service/feeds/{name}", "takes_idempotency_key": False, "is_idempotent": True},
    "runFeed": {"method": "POST", "path": "/api/manage/service/feeds/{name}/run", "takes_idempotency_key": False, "is_idempotent": True},
    "replaceFeeds": {"method": "PUT", "path": "/api/manage/service/feeds", "takes_idempotency_key": False, "is_idempotent": True},
    "startBackup": {"method": "POST", "path": "/api/manage/service/backup", "takes_idempotency_key": True, "is_idempotent": False},
    "sendTestMail": {"method": "POST", "path": "/api/manage/service/mail/test", "takes_idempotency_key": False, "is_idempotent": True},
    "listMembers": {"method": "GET", "path": "/api/manage/members", "takes_idempotency_key": False, "is_idempotent": True},
    "inviteMember": {"method": "POST", "path": "/api/manage/invitations", "takes_idempotency_key": True, "is_idempotent": False},
    "withdrawInvitation": {"method": "DELETE", "path": "/api/manage/invitations/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "changeMemberRole": {"method": "PATCH", "path": "/api/manage/members/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "removeMember": {"method": "DELETE", "path": "/api/manage/members/{id}", "takes_idempotency_key": False, "is_idempotent": True},
    "resetMemberPassword": {"method": "POST", "path": "/api/manage/members/{id}/reset-password", "takes_idempotency_key": True, "is_idempotent": False},
    "changeMemberEmail": {"method": "POST", "path": "/api/manage/members/{id}/email", "takes_idempotency_key": False, "is_idempotent": True},
    "resetMemberSecondFactor": {"method": "POST", "path": "/api/manage/members/{id}/reset-second-factor", "takes_idempotency_key": False, "is_idempotent": True},
    "getSettings": {"method": "GET", "path": "/api/manage/settings", "takes_idempotency_key": False, "is_idempotent": True},
    "changeSettings": {"method": "PATCH", "path": "/api/manage/settings", "takes_idempotency_key": False, "is_idempotent": True},
}


class Endpoints:
    """One method per endpoint."""

    def _read(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], body: Any, options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    def _read_text(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], body: Any, options: CallOptions | None
    ) -> str:
        raise NotImplementedError

    def _list(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], options: CallOptions | None
    ) -> Paged[Any]:
        raise NotImplementedError

    def list_devices(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        search: str | None = None,
        category: str | None = None,
        make: str | None = None,
        status: Literal["active", "discontinued"] | None = None,
        sort: Literal["name", "price_low", "price_high", "frequent"] | None = None,
        options: CallOptions | None = None,
    ) -> Paged[Device]:
        """List devices. Devices with all their variants, newest release first (unknown dates last), then by slug. With `search`: best match first, then that order. Tier: **Public**."""
        return self._list(OPERATIONS["listDevices"], {}, {"page": page, "limit": limit, "search": search, "category": category, "make": make, "status": status, "sort": sort}, options)

    def get_device(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Device:
        """Get one device. A device with all its variants. An unknown id is 404; `error.nearest_ids` lists similar ids. Tier: **Public**."""
        return cast("Device", self._read(OPERATIONS["getDevice"], {"id": id}, {}, None, options))

    def list_variants(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        device_id: str | None = None,
        search: str | None = None,
        make: str | None = None,
        category: str | None = None,
        sku: str | None = None,
        disabled: Literal["true", "false"] | None = None,
        storage: str | None = None,
        color: str | None = None,
        ram: str | None = None,
        carrier: str | None = None,
        attributes: dict[str, str] | None = None,
        options: CallOptions | None = None,
    ) -> Paged[VariantWithDevice]:
        """List variants with their device. Variants sorted by device, then in catalogue order. Disabled variants are included and marked. Every attribute can be used as a filter by its name. Tier: **Public**."""
        return self._list(OPERATIONS["listVariants"], {}, {"page": page, "limit": limit, "device_id": device_id, "search": search, "make": make, "category": category, "sku": sku, "disabled": disabled, "storage": storage, "color": color, "ram": ram, "carrier": carrier, "attributes": attributes}, options)

    def get_variant(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> VariantWithDevice:
        """Get one variant. A variant with the device it belongs to. An unknown id is 404; `error.nearest_ids` lists similar ids. Tier: **Public**."""
        return cast("VariantWithDevice", self._read(OPERATIONS["getVariant"], {"id": id}, {}, None, options))

    def match_text(
        self,
        *,
        text: str,
        make: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> Match:
        """Find the device named by a text. Matches a listing title, model name or model number to a device and, if possible, a variant. Doubtful matches are rejected with a reason: every model word must be matched, and the make must agree. Accessories, parts, boxes and lots are recognised. Tier: **Public**."""
        return cast("Match", self._read(OPERATIONS["matchText"], {}, {"text": text, "make": make, "limit": limit}, None, options))

    def list_categories(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[CategoryCount]:
        """List the categories. All categories by name, with counts. Use `name` as a filter for devices and variants. Tier: **Public**."""
        return cast("list[CategoryCount]", self._read(OPERATIONS["listCategories"], {}, {}, None, options))

    def list_makes(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[MakeCount]:
        """List the makes. All manufacturers by name, with counts. Use `name` as a filter for devices and variants. Tier: **Public**."""
        return cast("list[MakeCount]", self._read(OPERATIONS["listMakes"], {}, {}, None, options))

    def list_conditions(
        self,
        *,
        category: str | None = None,
        device_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[ConditionGrade]:
        """List the condition grades. The four grades used for prices, best first, with their definitions. With `category` or `device_id` the definitions fit that kind of device. Tier: **Public**."""
        return cast("list[ConditionGrade]", self._read(OPERATIONS["listConditions"], {}, {"category": category, "device_id": device_id}, None, options))

    def list_defects(
        self,
        *,
        category: str | None = None,
        device_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Defect]:
        """List the defects. Defects beside normal wear: the codes of `defects[]` in an appraisal, the repairs that fix them, and whether a device with the defect still has a grade. With `category` or `device_id` only those that such a device can have, in words that fit it; an appraisal rejects all others. Tier: **Public**."""
        return cast("list[Defect]", self._read(OPERATIONS["listDefects"], {}, {"category": category, "device_id": device_id}, None, options))

    def get_pricing(
        self,
        *,
        variant_id: str,
        pricing_type: Literal["buyback", "resale", "both"] | None = None,
        condition: str | None = None,
        days: int | None = None,
        history_days: int | None = None,
        market: str | None = None,
        lock: Literal["unlocked", "locked"] | None = None,
        currency: str | None = None,
        options: CallOptions | None = None,
    ) -> VariantPricing:
        """Price one variant. Buyback and resale prices per condition grade with an 80 % range, history and confidence. `source` says whether the numbers come from observed prices (`market`), are derived (`estimate`) or simulated (`sample`). Tier: **Paid**."""
        return cast("VariantPricing", self._read(OPERATIONS["getPricing"], {}, {"variant_id": variant_id, "pricing_type": pricing_type, "condition": condition, "days": days, "history_days": history_days, "market": market, "lock": lock, "currency": currency}, None, options))

    def price_variants(
        self,
        body: PricingBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[PricingBatchItem]:
        """Price up to 200 variants. One result or error per variant, in the order of the request; each result equals that of `GET /api/pricing`. Each id counts as one request against the rate limit. If fewer requests are left than there are ids, the whole batch is rejected with 429. Tier: **Paid**."""
        return cast("list[PricingBatchItem]", self._read(OPERATIONS["priceVariants"], {}, {}, body, options))

    def list_lowest_prices(
        self,
        *,
        device_ids: str,
        options: CallOptions | None = None,
    ) -> list[LowestPrice]:
        """List the lowest resale prices of devices. For lists of devices: the resale price of the cheapest variant of each device, in the order of the ids. Tier: **Paid**."""
        return cast("list[LowestPrice]", self._read(OPERATIONS["listLowestPrices"], {}, {"device_ids": device_ids}, None, options))

    def contribute_observations(
        self,
        body: ObservationsRequest,
        *,
        options: CallOptions | None = None,
    ) -> ObservationImportResult:
        """Contribute prices. Up to 1,000 prices observed by your organization, preferably its own deals. They are processed like an imported price list: same matching, same checks, same reject reasons, and listed among the imports with your organization as the source. A repeated `listing_id` counts once, so a request can be retried. Prices are updated within seconds. Needs a key with the right to contribute; each started 100 rows count as one request against the rate limit. Tier: **Public**, with the right to **contribute**."""
        return cast("ObservationImportResult", self._read(OPERATIONS["contributeObservations"], {}, {}, body, options))

    def remove_observations(
        self,
        *,
        source: str,
        options: CallOptions | None = None,
    ) -> RemoveObservationsData:
        """Remove the prices of a source. Deletes all price observations of a source, such as a contributor, and recalculates prices without them. To remove one import of it, undo that import. Tier: **Public**, with the right to **operate**."""
        return cast("RemoveObservationsData", self._read(OPERATIONS["removeObservations"], {}, {"source": source}, None, options))

    def get_repairs(
        self,
        *,
        device_id: str | None = None,
        variant_id: str | None = None,
        currency: str | None = None,
        options: CallOptions | None = None,
    ) -> DeviceRepairIntelligence:
        """Repair intelligence for a device or variant. Common repairs with difficulty, time and parts, common failures, repair costs, and whether a repair pays at current prices. Give `device_id`, `variant_id` or both; the variant must belong to the device. A device without repair data returns nulls, empty lists and `data_completeness` 0. Tier: **Paid**."""
        return cast("DeviceRepairIntelligence", self._read(OPERATIONS["getRepairs"], {}, {"device_id": device_id, "variant_id": variant_id, "currency": currency}, None, options))

    def assess_identifier(
        self,
        body: IMEILookupRequest,
        *,
        options: CallOptions | None = None,
    ) -> IMEILookupResult:
        """Assess the risk of one identifier. Decodes the identifier, finds the device, queries all sources and scores their findings, with a reason for every point. The response is sent after its record is durable. A wrong check digit is a finding, not an error. Unknown is never clean: `clean` requires a response from a source that covers the list, named in `cleared_by`. A probable typing error gives `recheck_identifier` with `suggested_identifiers`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**."""
        return cast("IMEILookupResult", self._read(OPERATIONS["assessIdentifier"], {}, {}, body, options))

    def list_lookups(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        after: str | None = None,
        identifier: str | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> Paged[IMEILookupResult]:
        """List your organization's lookups. Complete lookup records of the caller's organization, newest first, as they were returned at the time. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records. Tier: **Enterprise**."""
        return self._list(OPERATIONS["listLookups"], {}, {"page": page, "limit": limit, "after": after, "identifier": identifier, "format": format, "language": language}, options)

    def assess_identifiers(
        self,
        body: IMEIBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[IMEIBatchItem]:
        """Assess up to 1,000 identifiers. One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**."""
        return cast("list[IMEIBatchItem]", self._read(OPERATIONS["assessIdentifiers"], {}, {}, body, options))

    def get_lookup(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> IMEILookupResult:
        """Get one lookup. A lookup record of the caller's organization, as it was returned at the time. Tier: **Enterprise**."""
        return cast("IMEILookupResult", self._read(OPERATIONS["getLookup"], {"id": id}, {}, None, options))

    def list_sandbox(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[SandboxIdentifier]:
        """List the sandbox identifiers. Identifiers with fixed results, for tests of an integration. No source is queried for them. Tier: **Public**."""
        return cast("list[SandboxIdentifier]", self._read(OPERATIONS["listSandbox"], {}, {}, None, options))

    def appraise_device(
        self,
        body: AppraisalRequest,
        *,
        options: CallOptions | None = None,
    ) -> Appraisal:
        """Appraise one device. Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an `identifier` is given."""
        return cast("Appraisal", self._read(OPERATIONS["appraiseDevice"], {}, {}, body, options))

    def list_appraisals(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        after: str | None = None,
        reference: str | None = None,
        decision: Literal["buy", "buy_and_repair", "inspect", "reject", "identify"] | None = None,
        outcome: Literal["open", "bought", "declined", "sold"] | None = None,
        device_id: str | None = None,
        day: str | None = None,
        time_zone: str | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> Paged[Appraisal]:
        """List your organization's appraisals. Complete appraisal records of the caller's organization with their outcomes, newest first. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records. Tier: **Paid**."""
        return self._list(OPERATIONS["listAppraisals"], {}, {"page": page, "limit": limit, "after": after, "reference": reference, "decision": decision, "outcome": outcome, "device_id": device_id, "day": day, "time_zone": time_zone, "format": format, "language": language}, options)

    def appraise_devices(
        self,
        body: AppraisalBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[AppraisalBatchItem]:
        """Appraise up to 500 devices. One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an item has an `identifier`."""
        return cast("list[AppraisalBatchItem]", self._read(OPERATIONS["appraiseDevices"], {}, {}, body, options))

    def preview_appraisal(
        self,
        body: AppraisalPreviewRequest,
        *,
        options: CallOptions | None = None,
    ) -> AppraisalPreview:
        """Preview an appraisal. Calculates an appraisal without recording it, with the offers for all four grades. An identifier is not looked up again: `lookup_id` names a lookup of your organization. Tier: **Paid**; **Enterprise** when a `lookup_id` is given."""
        return cast("AppraisalPreview", self._read(OPERATIONS["previewAppraisal"], {}, {}, body, options))

    def list_appraised_devices(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[AppraisedDevice]:
        """List the devices that you appraised. The devices that your organization appraised most, at most 200, most often first. Tier: **Paid**."""
        return cast("list[AppraisedDevice]", self._read(OPERATIONS["listAppraisedDevices"], {}, {}, None, options))

    def get_appraisal(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Appraisal:
        """Get one appraisal. An appraisal of the caller's organization, as it was returned, with its current outcome. Another organization's appraisal is not found. Tier: **Paid**."""
        return cast("Appraisal", self._read(OPERATIONS["getAppraisal"], {"id": id}, {}, None, options))

    def record_outcome(
        self,
        id: str,
        body: OutcomeRequest,
        *,
        options: CallOptions | None = None,
    ) -> RecordedOutcome:
        """Record the outcome of an appraisal. Records that you bought the device, that there was no deal, or that you sold the device. A device must be bought before it is sold. A later request corrects an earlier one; `sold` keeps the price and the day of the purchase. Prices of devices without defects become price observations of your organization and change its prices within seconds. The response is sent after the outcome is durable. Each change is in the audit trail and creates an event. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**."""
        return cast("RecordedOutcome", self._read(OPERATIONS["recordOutcome"], {"id": id}, {}, body, options))

    def remove_outcome(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> RecordedOutcome:
        """Remove the outcome of an appraisal. Undoes a mistake: the appraisal is open again, and the prices of the deal no longer count. The audit trail keeps the removed outcome. An appraisal without an outcome stays as it is. Tier: **Paid**."""
        return cast("RecordedOutcome", self._read(OPERATIONS["removeOutcome"], {"id": id}, {}, None, options))

    def record_outcomes(
        self,
        body: OutcomeBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[OutcomeBatchItem]:
        """Record up to 500 outcomes. One result or error per item, in the order of the request; the same appraisal may be bought and later sold in one request. All applied outcomes become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**."""
        return cast("list[OutcomeBatchItem]", self._read(OPERATIONS["recordOutcomes"], {}, {}, body, options))

    def list_shares(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> list[AppraisalShare]:
        """List the share codes of an appraisal. The codes on receipts of one appraisal, newest first, without their addresses. Tier: **Paid**."""
        return cast("list[AppraisalShare]", self._read(OPERATIONS["listShares"], {"id": id}, {}, None, options))

    def create_share(
        self,
        id: str,
        body: CreateShareBody,
        *,
        options: CallOptions | None = None,
    ) -> NewAppraisalShare:
        """Create a share code of an appraisal. Creates a code that proves a receipt genuine: anyone with its address sees the shared facts until the code is revoked. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Paid**."""
        return cast("NewAppraisalShare", self._read(OPERATIONS["createShare"], {"id": id}, {}, body, options))

    def revoke_share(
        self,
        id: str,
        share_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Done:
        """Revoke a share code. From now on its address shows the same page as one that never existed. Tier: **Paid**."""
        return cast("Done", self._read(OPERATIONS["revokeShare"], {"id": id, "share_id": share_id}, {}, None, options))

    def get_deal_report(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        time_zone: str | None = None,
        currency: str | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> DealReport:
        """Report on your deals. Deals by month, money in and out, margin and days held, from the outcomes of your organization's appraisals, and forecast against outcome: recommended offer and price paid, forecast and actual sale price, how many sales were inside the 80 % range, and how often money was lost. Amounts are in one currency; deals in other currencies are converted by the exchange rate of their day, the newest on or before it. With `format=csv` the deals of the period, one per line. Clerks need an organization that shows them margins. Tier: **Paid**."""
        return cast("DealReport", self._read(OPERATIONS["getDealReport"], {}, {"from": from_, "to": to, "time_zone": time_zone, "currency": currency, "format": format, "language": language}, None, options))

    def create_watch(
        self,
        body: WatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> Watch:
        """Watch an identifier or a price. Creates an event whenever an imported list, a feed or an outside source changes the status of the identifier (`identifier.status_changed`), or the resale price of the variant changes by the threshold (`price.changed`). Only later changes are reported; use a lookup for the current status. Watching the same subject again with the same reference updates the existing watch. Tier: **Enterprise**."""
        return cast("Watch", self._read(OPERATIONS["createWatch"], {}, {}, body, options))

    def list_watches(
        self,
        *,
        after: str | None = None,
        reference: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> Paged[Watch]:
        """List your organization's watches. Oldest first, without ended watches. Continue with `after` = `meta.next_after`. Tier: **Enterprise**."""
        return self._list(OPERATIONS["listWatches"], {}, {"after": after, "reference": reference, "limit": limit}, options)

    def delete_watch(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Watch:
        """End a watch. Ends the watch immediately. Its events remain available. Tier: **Enterprise**."""
        return cast("Watch", self._read(OPERATIONS["deleteWatch"], {"id": id}, {}, None, options))

    def list_events(
        self,
        *,
        after: str | None = None,
        type: Literal["identifier.status_changed", "price.changed", "import.finished", "key.expiring", "appraisal.created", "appraisal.bought", "appraisal.declined", "appraisal.sold", "appraisal.reopened", "webhook.disabled", "webhook.test", "usage.threshold_reached"] | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> Paged[ServiceEvent]:
        """List events. Events of your organization and its watches of the last 30 days, oldest first. Continue with `after` = `meta.next_after` of the last response: every event is returned exactly once. After an id that is no longer stored the list starts with the oldest event. Webhook endpoints receive the same events with the same ids. Tier: **Enterprise**."""
        return self._list(OPERATIONS["listEvents"], {}, {"after": after, "type": type, "limit": limit}, options)

    def get_usage(
        self,
        *,
        organization_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        include: Literal["keys"] | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> Usage:
        """Get your organization's usage. Requests of all API keys of the caller's organization by day, endpoint and status, and its monthly quota. Counts are up to a minute old and kept for 90 days. Available after a hard quota is used up. `include=keys` and `format=csv` need the right to manage; the file has one row per day, key, endpoint and status. Tier: **Public**."""
        return cast("Usage", self._read(OPERATIONS["getUsage"], {}, {"organization_id": organization_id, "from": from_, "to": to, "include": include, "format": format, "language": language}, None, options))

    def get_usage_by_hour(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> UsageHours:
        """Get your organization's usage by the hour. Requests and their latency in the last two weeks, by hour, key, endpoint and status. Tier: **Public**, with the right to **manage**."""
        return cast("UsageHours", self._read(OPERATIONS["getUsageByHour"], {}, {"organization_id": organization_id}, None, options))

    def list_requests(
        self,
        *,
        organization_id: str | None = None,
        key: str | None = None,
        route: str | None = None,
        status: Literal["1", "2", "3", "4", "5"] | None = None,
        before: str | None = None,
        options: CallOptions | None = None,
    ) -> list[LoggedRequest]:
        """List your organization's requests. The newest 100 requests of the last three days that match, newest first. Tier: **Public**, with the right to **manage**."""
        return cast("list[LoggedRequest]", self._read(OPERATIONS["listRequests"], {}, {"organization_id": organization_id, "key": key, "route": route, "status": status, "before": before}, None, options))

    def list_keys(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[ApiKey]:
        """List API keys. All keys of the organization, newest first, including revoked and expired ones. Tier: **Public**, with the right to **manage**."""
        return cast("list[ApiKey]", self._read(OPERATIONS["listKeys"], {}, {"organization_id": organization_id}, None, options))

    def create_key(
        self,
        body: CreateKeyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateKeyData:
        """Create an API key. Only this response contains the key itself. A key cannot create one with a higher tier or more rights than its own. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("CreateKeyData", self._read(OPERATIONS["createKey"], {}, {"organization_id": organization_id}, body, options))

    def change_key(
        self,
        id: str,
        body: ChangeKeyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ApiKey:
        """Change an API key. Changes the given fields. Takes effect everywhere within a second. Tier: **Public**, with the right to **manage**."""
        return cast("ApiKey", self._read(OPERATIONS["changeKey"], {"id": id}, {"organization_id": organization_id}, body, options))

    def revoke_key(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Revoke an API key. Cannot be undone. Takes effect everywhere within a second. Revoking a revoked key changes nothing. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["revokeKey"], {"id": id}, {"organization_id": organization_id}, None, options))

    def rotate_key(
        self,
        id: str,
        body: RotateKeyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> RotateKeyData:
        """Replace an API key. Creates a key with the same tier, rights and limits. The old key works until the overlap ends. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("RotateKeyData", self._read(OPERATIONS["rotateKey"], {"id": id}, {"organization_id": organization_id}, body, options))

    def get_policy(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> OwnPolicy:
        """Get the buying policy. The policy that appraisals of the organization use, and whether the prices of its own deals count in its prices. Tier: **Public**, with the right to **manage**."""
        return cast("OwnPolicy", self._read(OPERATIONS["getPolicy"], {}, {"organization_id": organization_id}, None, options))

    def change_policy(
        self,
        body: ChangePolicyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> OwnPolicy:
        """Change the buying policy. Changes the given fields; null goes back to the default. Amounts are converted if the currency changes. Tier: **Public**, with the right to **manage**."""
        return cast("OwnPolicy", self._read(OPERATIONS["changePolicy"], {}, {"organization_id": organization_id}, body, options))

    def get_receipt_details(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> GetReceiptDetailsData:
        """Get the details of receipts. What the organization prints on its receipts. Tier: **Public**, with the right to **manage**."""
        return cast("GetReceiptDetailsData", self._read(OPERATIONS["getReceiptDetails"], {}, {"organization_id": organization_id}, None, options))

    def replace_receipt_details(
        self,
        body: ReplaceReceiptDetailsBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ReplaceReceiptDetailsData:
        """Replace the details of receipts. Replaces what the organization prints on its receipts. Tier: **Public**, with the right to **manage**."""
        return cast("ReplaceReceiptDetailsData", self._read(OPERATIONS["replaceReceiptDetails"], {}, {"organization_id": organization_id}, body, options))

    def list_webhooks(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Webhook]:
        """List webhook endpoints. All webhook endpoints of the organization. Tier: **Public**, with the right to **manage**."""
        return cast("list[Webhook]", self._read(OPERATIONS["listWebhooks"], {}, {"organization_id": organization_id}, None, options))

    def create_webhook(
        self,
        body: CreateWebhookBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateWebhookData:
        """Create a webhook endpoint. It receives events from now on. Only this response contains the signing secret. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("CreateWebhookData", self._read(OPERATIONS["createWebhook"], {}, {"organization_id": organization_id}, body, options))

    def change_webhook(
        self,
        id: str,
        body: ChangeWebhookBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Webhook:
        """Enable a disabled webhook endpoint. Pending deliveries are sent at once. Tier: **Public**, with the right to **manage**."""
        return cast("Webhook", self._read(OPERATIONS["changeWebhook"], {"id": id}, {"organization_id": organization_id}, body, options))

    def remove_webhook(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove a webhook endpoint. Also deletes its deliveries. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["removeWebhook"], {"id": id}, {"organization_id": organization_id}, None, options))

    def rotate_webhook_secret(
        self,
        id: str,
        body: RotateWebhookSecretBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> RotateWebhookSecretData:
        """Replace the secret of a webhook endpoint. Deliveries carry signatures of both secrets until the overlap ends. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("RotateWebhookSecretData", self._read(OPERATIONS["rotateWebhookSecret"], {"id": id}, {"organization_id": organization_id}, body, options))

    def test_webhook(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> TestWebhookData:
        """Send a test event. Sends an event of type `webhook.test` to the endpoint. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**."""
        return cast("TestWebhookData", self._read(OPERATIONS["testWebhook"], {"id": id}, {"organization_id": organization_id}, None, options))

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        state: Literal["pending", "delivered", "failed"] | None = None,
        type: Literal["identifier.status_changed", "price.changed", "import.finished", "key.expiring", "appraisal.created", "appraisal.bought", "appraisal.declined", "appraisal.sold", "appraisal.reopened", "webhook.disabled", "webhook.test", "usage.threshold_reached"] | None = None,
        options: CallOptions | None = None,
    ) -> list[WebhookDelivery]:
        """List deliveries of a webhook endpoint. The last 100 deliveries that match, newest first. Tier: **Public**, with the right to **manage**."""
        return cast("list[WebhookDelivery]", self._read(OPERATIONS["listWebhookDeliveries"], {"id": id}, {"organization_id": organization_id, "state": state, "type": type}, None, options))

    def replay_webhook_deliveries(
        self,
        id: str,
        body: ReplayWebhookDeliveriesBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ReplayWebhookDeliveriesData:
        """Send events again. One event, or those of a time range, with the same event ids as before. Tier: **Public**, with the right to **manage**."""
        return cast("ReplayWebhookDeliveriesData", self._read(OPERATIONS["replayWebhookDeliveries"], {"id": id}, {"organization_id": organization_id}, body, options))

    def list_organizations(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> Paged[Organization]:
        """List organizations. All organizations of the service, oldest first. Tier: **Public**, with the right to **operate**."""
        return self._list(OPERATIONS["listOrganizations"], {}, {"after": after, "limit": limit}, options)

    def create_organization(
        self,
        body: CreateOrganizationBody,
        *,
        options: CallOptions | None = None,
    ) -> Organization:
        """Create an organization. Absent fields get the defaults of the service; the currency is that of the market. Invite its first owner with `inviteMember`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Organization", self._read(OPERATIONS["createOrganization"], {}, {}, body, options))

    def get_organization(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Organization:
        """Get one organization. Tier, limits, quota and market of an organization. Tier: **Public**, with the right to **operate**."""
        return cast("Organization", self._read(OPERATIONS["getOrganization"], {"id": id}, {}, None, options))

    def change_organization(
        self,
        id: str,
        body: ChangeOrganizationBody,
        *,
        options: CallOptions | None = None,
    ) -> Organization:
        """Change an organization. Changes the given fields. Keys, watches and webhook events above a lower tier pause until it is raised again. Tier: **Public**, with the right to **operate**."""
        return cast("Organization", self._read(OPERATIONS["changeOrganization"], {"id": id}, {}, body, options))

    def remove_organization(
        self,
        id: str,
        *,
        confirm: str,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove an organization. Ends all access at once, then deletes everything stored of the organization within minutes; until then it is still listed. Cannot be undone. The organization that runs the service cannot be removed. Tier: **Public**, with the right to **operate**."""
        return cast("Done", self._read(OPERATIONS["removeOrganization"], {"id": id}, {"confirm": confirm}, None, options))

    def list_audit_entries(
        self,
        *,
        organization_id: str | None = None,
        after: str | None = None,
        who: str | None = None,
        kind: Literal["appraisal", "backup", "feed", "import", "invitation", "key", "list", "mail", "member", "observations", "organization", "person", "setting", "source", "tac", "watch", "webhook"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        time_zone: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> Paged[AuditEntry]:
        """List the audit trail. Changes of the organization and changes that concern all organizations, newest first. Tier: **Public**, with the right to **manage**."""
        return self._list(OPERATIONS["listAuditEntries"], {}, {"organization_id": organization_id, "after": after, "who": who, "kind": kind, "from": from_, "to": to, "time_zone": time_zone, "limit": limit}, options)

    def list_attention(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[AttentionItem]:
        """List problems that need attention. Worst first: keys that expire soon and, for owners, stale lists, sources that do not respond, and failed imports and feeds. Tier: **Public**, with the right to **manage**."""
        return cast("list[AttentionItem]", self._read(OPERATIONS["listAttention"], {}, {"organization_id": organization_id}, None, options))

    def list_tacs(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ConfirmedTacs:
        """List learned TACs. Models that the organization confirmed for type allocation codes by its appraisals, lookups and imports. A model that two independent organizations or the operator confirmed applies to all. Tier: **Public**, with the right to **manage**."""
        return cast("ConfirmedTacs", self._read(OPERATIONS["listTacs"], {}, {"organization_id": organization_id}, None, options))

    def confirm_tac(
        self,
        tac: str,
        body: ConfirmTacBody,
        *,
        options: CallOptions | None = None,
    ) -> Done:
        """Confirm the model of a TAC for all organizations. Lookups of all organizations use the confirmed model. Tier: **Public**, with the right to **operate**."""
        return cast("Done", self._read(OPERATIONS["confirmTac"], {"tac": tac}, {}, body, options))

    def forget_tac(
        self,
        tac: str,
        *,
        organization_id: str | None = None,
        device_id: str,
        scope: Literal["own", "all"] | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove the confirmed model of a TAC. Lookups no longer use the model unless others confirmed it. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["forgetTac"], {"tac": tac}, {"organization_id": organization_id, "device_id": device_id, "scope": scope}, None, options))

    def list_rates(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[CurrencyRate]:
        """List exchange rates. The newest exchange rate of every currency. All organizations share them. Tier: **Public**, with the right to **manage**."""
        return cast("list[CurrencyRate]", self._read(OPERATIONS["listRates"], {}, {}, None, options))

    def update_rates(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[CurrencyRate]:
        """Update the exchange rates. Imports the newest reference rates of the European Central Bank and returns the rates in use. Tier: **Public**, with the right to **operate**."""
        return cast("list[CurrencyRate]", self._read(OPERATIONS["updateRates"], {}, {}, None, options))

    def get_phone_access(
        self,
        *,
        origin: str | None = None,
        options: CallOptions | None = None,
    ) -> PhoneAccess:
        """Get the addresses of the dashboard for a phone. How a phone on the same network opens the dashboard, and what prevents it. Tier: **Public**, with the right to **manage**."""
        return cast("PhoneAccess", self._read(OPERATIONS["getPhoneAccess"], {}, {"origin": origin}, None, options))

    def get_uploads(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Uploads:
        """Get the current upload and the limits of uploads. The unfinished or last upload of the caller, the size of parts, and the values that options can have. For the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("Uploads", self._read(OPERATIONS["getUploads"], {}, {"organization_id": organization_id}, None, options))

    def create_upload(
        self,
        body: CreateUploadBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Begin an upload. An import in four steps: begin the upload, send the file in parts, check it, run it. A new upload replaces the unfinished one of the same caller. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", self._read(OPERATIONS["createUpload"], {}, {"organization_id": organization_id}, body, options))

    def send_upload_part(
        self,
        id: str,
        body: SendUploadPartBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> SendUploadPartData:
        """Send a part of the file. At most 700,000 bytes per part, in order. Sending the same part again is safe. Tier: **Public**, with the right to **operate**."""
        return cast("SendUploadPartData", self._read(OPERATIONS["sendUploadPart"], {"id": id}, {"organization_id": organization_id}, body, options))

    def get_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Get an upload. State, progress, preview after the check, and the import. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", self._read(OPERATIONS["getUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    def discard_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Discard an upload. Deletes the file. Stop it first while it is being read. Tier: **Public**, with the right to **operate**."""
        return cast("Done", self._read(OPERATIONS["discardUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    def check_upload(
        self,
        id: str,
        body: CheckUploadBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Check an upload. Reads the whole file without writing anything. Poll `getUpload` until `state` is `checked`; `preview` then says what an import would do, and `failure` why it cannot be imported. Options are those of the `import` command. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", self._read(OPERATIONS["checkUpload"], {"id": id}, {"organization_id": organization_id}, body, options))

    def run_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Import a checked upload. Poll `getUpload` until `state` is `ended`; `run` is the import. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", self._read(OPERATIONS["runUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    def stop_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Stop a check or an import. Rows imported until then are kept. Tier: **Public**, with the right to **operate**."""
        return cast("Done", self._read(OPERATIONS["stopUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    def list_imports(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Import]:
        """List imports. The newest imports of the service. File names and failures are shown to its operator only. Tier: **Public**, with the right to **manage**."""
        return cast("list[Import]", self._read(OPERATIONS["listImports"], {}, {"organization_id": organization_id}, None, options))

    def get_rejected_rows(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> str:
        """Download the rejected rows of an import. The rejected rows as CSV: line, reason, detail and the original columns. For the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("str", self._read_text(OPERATIONS["getRejectedRows"], {"id": id}, {"organization_id": organization_id}, None, options))

    def undo_import(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> UndoImportData:
        """Undo an import of prices. Removes the prices of the import and brings back those that it replaced. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("UndoImportData", self._read(OPERATIONS["undoImport"], {"id": id}, {"organization_id": organization_id}, None, options))

    def retry_import(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Upload the rejected rows of an import again. Makes an upload of the rejected rows and checks it with the options of the import. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", self._read(OPERATIONS["retryImport"], {"id": id}, {"organization_id": organization_id}, None, options))

    def list_feeds(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Feed]:
        """List feeds. Files that the service fetches and imports by schedule. Tier: **Public**, with the right to **manage**."""
        return cast("list[Feed]", self._read(OPERATIONS["listFeeds"], {}, {"organization_id": organization_id}, None, options))

    def get_service_settings(
        self,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Get the settings of the service. Settings, identifier sources, feeds, backups and mail of the whole service. Secrets are never returned. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["getServiceSettings"], {}, {}, None, options))

    def change_service_settings(
        self,
        body: ChangeServiceSettingsBody,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Change settings of the service. Null goes back to the default. A setting of the environment cannot be changed here. All settings are changed, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["changeServiceSettings"], {}, {}, body, options))

    def put_source(
        self,
        name: str,
        body: PutSourceBody,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Add or change an identifier source. Secrets that are not sent stay as they are stored, unless the host changes. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["putSource"], {"name": name}, {}, body, options))

    def remove_source(
        self,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Remove an identifier source. Lookups no longer query it. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["removeSource"], {"name": name}, {}, None, options))

    def test_source(
        self,
        body: TestSourceBody,
        *,
        options: CallOptions | None = None,
    ) -> SourceTest:
        """Query an identifier source once. Queries a stored source, or a definition before it is stored, about one identifier. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("SourceTest", self._read(OPERATIONS["testSource"], {}, {}, body, options))

    def replace_sources(
        self,
        body: ReplaceSourcesBody,
        *,
        options: CallOptions | None = None,
    ) -> EntryChanges:
        """Replace all identifier sources. Makes the document the whole list: sources that are not in it are removed. Secrets that it leaves out stay as they are stored. All sources are replaced, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("EntryChanges", self._read(OPERATIONS["replaceSources"], {}, {}, body, options))

    def put_feed(
        self,
        name: str,
        body: PutFeedBody,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Add or change a feed. Headers that are not sent stay as they are stored, unless the host changes. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["putFeed"], {"name": name}, {}, body, options))

    def remove_feed(
        self,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Remove a feed. Its imports stay. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["removeFeed"], {"name": name}, {}, None, options))

    def run_feed(
        self,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> Done:
        """Run a feed now. Starts fetching and importing a feed; `listFeeds` shows the result. Has no effect on a feed that is already running. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("Done", self._read(OPERATIONS["runFeed"], {"name": name}, {}, None, options))

    def replace_feeds(
        self,
        body: ReplaceFeedsBody,
        *,
        options: CallOptions | None = None,
    ) -> EntryChanges:
        """Replace all feeds. Makes the document the whole list: feeds that are not in it are removed. Headers that it leaves out stay as they are stored. All feeds are replaced, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("EntryChanges", self._read(OPERATIONS["replaceFeeds"], {}, {}, body, options))

    def start_backup(
        self,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Start a backup. Copies the embedded database to the folder of backups; `backup` of the settings shows when it is complete. For owners of the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", self._read(OPERATIONS["startBackup"], {}, {}, None, options))

    def send_test_mail(
        self,
        body: SendTestMailBody,
        *,
        options: CallOptions | None = None,
    ) -> MailTest:
        """Send a test message. Sends a message by the mail server of `SMTP_URL` and returns its error, if there is one. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("MailTest", self._read(OPERATIONS["sendTestMail"], {}, {}, body, options))

    def list_members(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ListMembersData:
        """List members and invitations. Members of the organization and open invitations. Tier: **Public**, with the right to **manage**."""
        return cast("ListMembersData", self._read(OPERATIONS["listMembers"], {}, {"organization_id": organization_id}, None, options))

    def invite_member(
        self,
        body: InviteMemberBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> InviteMemberData:
        """Invite a person. The link lets the person choose a password and join the organization. It works once. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**."""
        return cast("InviteMemberData", self._read(OPERATIONS["inviteMember"], {}, {"organization_id": organization_id}, body, options))

    def withdraw_invitation(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Withdraw an invitation. The link of the invitation stops working. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["withdrawInvitation"], {"id": id}, {"organization_id": organization_id}, None, options))

    def change_member_role(
        self,
        id: str,
        body: ChangeMemberRoleBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Change a member's role. An organization keeps at least one owner. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["changeMemberRole"], {"id": id}, {"organization_id": organization_id}, body, options))

    def remove_member(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove a member. The account is deleted and its sessions end at once. An organization keeps at least one owner. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["removeMember"], {"id": id}, {"organization_id": organization_id}, None, options))

    def reset_member_password(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ResetMemberPasswordData:
        """Reset a member's password. The link lets the person choose a new password. It works once. Using it ends all sessions and issuer identities of the account. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**."""
        return cast("ResetMemberPasswordData", self._read(OPERATIONS["resetMemberPassword"], {"id": id}, {"organization_id": organization_id}, None, options))

    def change_member_email(
        self,
        id: str,
        body: ChangeMemberEmailBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Change a member's e-mail address. Ends the issuer identities, open links and sessions of the account. A mail to the old address reports the change. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["changeMemberEmail"], {"id": id}, {"organization_id": organization_id}, body, options))

    def reset_member_second_factor(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove a member's second factor. Removes authenticator app, passkeys, recovery codes and issuer identities and ends all sessions of the account. Tier: **Public**, with the right to **manage**."""
        return cast("Done", self._read(OPERATIONS["resetMemberSecondFactor"], {"id": id}, {"organization_id": organization_id}, None, options))

    def get_settings(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> GetSettingsData:
        """Get name, market and currency. Settings of the organization. Tier: **Public**, with the right to **manage**."""
        return cast("GetSettingsData", self._read(OPERATIONS["getSettings"], {}, {"organization_id": organization_id}, None, options))

    def change_settings(
        self,
        body: ChangeSettingsBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ChangeSettingsData:
        """Change name, market or currency. Changes the given fields. A new market also sets its currency, unless `currency` is given. Tier: **Public**, with the right to **manage**."""
        return cast("ChangeSettingsData", self._read(OPERATIONS["changeSettings"], {}, {"organization_id": organization_id}, body, options))


class AsyncEndpoints:
    """One method per endpoint."""

    async def _read(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], body: Any, options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    async def _read_text(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], body: Any, options: CallOptions | None
    ) -> str:
        raise NotImplementedError

    def _list(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], options: CallOptions | None
    ) -> AsyncPaged[Any]:
        raise NotImplementedError

    def list_devices(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        search: str | None = None,
        category: str | None = None,
        make: str | None = None,
        status: Literal["active", "discontinued"] | None = None,
        sort: Literal["name", "price_low", "price_high", "frequent"] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[Device]:
        """List devices. Devices with all their variants, newest release first (unknown dates last), then by slug. With `search`: best match first, then that order. Tier: **Public**."""
        return self._list(OPERATIONS["listDevices"], {}, {"page": page, "limit": limit, "search": search, "category": category, "make": make, "status": status, "sort": sort}, options)

    async def get_device(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Device:
        """Get one device. A device with all its variants. An unknown id is 404; `error.nearest_ids` lists similar ids. Tier: **Public**."""
        return cast("Device", await self._read(OPERATIONS["getDevice"], {"id": id}, {}, None, options))

    def list_variants(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        device_id: str | None = None,
        search: str | None = None,
        make: str | None = None,
        category: str | None = None,
        sku: str | None = None,
        disabled: Literal["true", "false"] | None = None,
        storage: str | None = None,
        color: str | None = None,
        ram: str | None = None,
        carrier: str | None = None,
        attributes: dict[str, str] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[VariantWithDevice]:
        """List variants with their device. Variants sorted by device, then in catalogue order. Disabled variants are included and marked. Every attribute can be used as a filter by its name. Tier: **Public**."""
        return self._list(OPERATIONS["listVariants"], {}, {"page": page, "limit": limit, "device_id": device_id, "search": search, "make": make, "category": category, "sku": sku, "disabled": disabled, "storage": storage, "color": color, "ram": ram, "carrier": carrier, "attributes": attributes}, options)

    async def get_variant(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> VariantWithDevice:
        """Get one variant. A variant with the device it belongs to. An unknown id is 404; `error.nearest_ids` lists similar ids. Tier: **Public**."""
        return cast("VariantWithDevice", await self._read(OPERATIONS["getVariant"], {"id": id}, {}, None, options))

    async def match_text(
        self,
        *,
        text: str,
        make: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> Match:
        """Find the device named by a text. Matches a listing title, model name or model number to a device and, if possible, a variant. Doubtful matches are rejected with a reason: every model word must be matched, and the make must agree. Accessories, parts, boxes and lots are recognised. Tier: **Public**."""
        return cast("Match", await self._read(OPERATIONS["matchText"], {}, {"text": text, "make": make, "limit": limit}, None, options))

    async def list_categories(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[CategoryCount]:
        """List the categories. All categories by name, with counts. Use `name` as a filter for devices and variants. Tier: **Public**."""
        return cast("list[CategoryCount]", await self._read(OPERATIONS["listCategories"], {}, {}, None, options))

    async def list_makes(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[MakeCount]:
        """List the makes. All manufacturers by name, with counts. Use `name` as a filter for devices and variants. Tier: **Public**."""
        return cast("list[MakeCount]", await self._read(OPERATIONS["listMakes"], {}, {}, None, options))

    async def list_conditions(
        self,
        *,
        category: str | None = None,
        device_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[ConditionGrade]:
        """List the condition grades. The four grades used for prices, best first, with their definitions. With `category` or `device_id` the definitions fit that kind of device. Tier: **Public**."""
        return cast("list[ConditionGrade]", await self._read(OPERATIONS["listConditions"], {}, {"category": category, "device_id": device_id}, None, options))

    async def list_defects(
        self,
        *,
        category: str | None = None,
        device_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Defect]:
        """List the defects. Defects beside normal wear: the codes of `defects[]` in an appraisal, the repairs that fix them, and whether a device with the defect still has a grade. With `category` or `device_id` only those that such a device can have, in words that fit it; an appraisal rejects all others. Tier: **Public**."""
        return cast("list[Defect]", await self._read(OPERATIONS["listDefects"], {}, {"category": category, "device_id": device_id}, None, options))

    async def get_pricing(
        self,
        *,
        variant_id: str,
        pricing_type: Literal["buyback", "resale", "both"] | None = None,
        condition: str | None = None,
        days: int | None = None,
        history_days: int | None = None,
        market: str | None = None,
        lock: Literal["unlocked", "locked"] | None = None,
        currency: str | None = None,
        options: CallOptions | None = None,
    ) -> VariantPricing:
        """Price one variant. Buyback and resale prices per condition grade with an 80 % range, history and confidence. `source` says whether the numbers come from observed prices (`market`), are derived (`estimate`) or simulated (`sample`). Tier: **Paid**."""
        return cast("VariantPricing", await self._read(OPERATIONS["getPricing"], {}, {"variant_id": variant_id, "pricing_type": pricing_type, "condition": condition, "days": days, "history_days": history_days, "market": market, "lock": lock, "currency": currency}, None, options))

    async def price_variants(
        self,
        body: PricingBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[PricingBatchItem]:
        """Price up to 200 variants. One result or error per variant, in the order of the request; each result equals that of `GET /api/pricing`. Each id counts as one request against the rate limit. If fewer requests are left than there are ids, the whole batch is rejected with 429. Tier: **Paid**."""
        return cast("list[PricingBatchItem]", await self._read(OPERATIONS["priceVariants"], {}, {}, body, options))

    async def list_lowest_prices(
        self,
        *,
        device_ids: str,
        options: CallOptions | None = None,
    ) -> list[LowestPrice]:
        """List the lowest resale prices of devices. For lists of devices: the resale price of the cheapest variant of each device, in the order of the ids. Tier: **Paid**."""
        return cast("list[LowestPrice]", await self._read(OPERATIONS["listLowestPrices"], {}, {"device_ids": device_ids}, None, options))

    async def contribute_observations(
        self,
        body: ObservationsRequest,
        *,
        options: CallOptions | None = None,
    ) -> ObservationImportResult:
        """Contribute prices. Up to 1,000 prices observed by your organization, preferably its own deals. They are processed like an imported price list: same matching, same checks, same reject reasons, and listed among the imports with your organization as the source. A repeated `listing_id` counts once, so a request can be retried. Prices are updated within seconds. Needs a key with the right to contribute; each started 100 rows count as one request against the rate limit. Tier: **Public**, with the right to **contribute**."""
        return cast("ObservationImportResult", await self._read(OPERATIONS["contributeObservations"], {}, {}, body, options))

    async def remove_observations(
        self,
        *,
        source: str,
        options: CallOptions | None = None,
    ) -> RemoveObservationsData:
        """Remove the prices of a source. Deletes all price observations of a source, such as a contributor, and recalculates prices without them. To remove one import of it, undo that import. Tier: **Public**, with the right to **operate**."""
        return cast("RemoveObservationsData", await self._read(OPERATIONS["removeObservations"], {}, {"source": source}, None, options))

    async def get_repairs(
        self,
        *,
        device_id: str | None = None,
        variant_id: str | None = None,
        currency: str | None = None,
        options: CallOptions | None = None,
    ) -> DeviceRepairIntelligence:
        """Repair intelligence for a device or variant. Common repairs with difficulty, time and parts, common failures, repair costs, and whether a repair pays at current prices. Give `device_id`, `variant_id` or both; the variant must belong to the device. A device without repair data returns nulls, empty lists and `data_completeness` 0. Tier: **Paid**."""
        return cast("DeviceRepairIntelligence", await self._read(OPERATIONS["getRepairs"], {}, {"device_id": device_id, "variant_id": variant_id, "currency": currency}, None, options))

    async def assess_identifier(
        self,
        body: IMEILookupRequest,
        *,
        options: CallOptions | None = None,
    ) -> IMEILookupResult:
        """Assess the risk of one identifier. Decodes the identifier, finds the device, queries all sources and scores their findings, with a reason for every point. The response is sent after its record is durable. A wrong check digit is a finding, not an error. Unknown is never clean: `clean` requires a response from a source that covers the list, named in `cleared_by`. A probable typing error gives `recheck_identifier` with `suggested_identifiers`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**."""
        return cast("IMEILookupResult", await self._read(OPERATIONS["assessIdentifier"], {}, {}, body, options))

    def list_lookups(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        after: str | None = None,
        identifier: str | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[IMEILookupResult]:
        """List your organization's lookups. Complete lookup records of the caller's organization, newest first, as they were returned at the time. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records. Tier: **Enterprise**."""
        return self._list(OPERATIONS["listLookups"], {}, {"page": page, "limit": limit, "after": after, "identifier": identifier, "format": format, "language": language}, options)

    async def assess_identifiers(
        self,
        body: IMEIBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[IMEIBatchItem]:
        """Assess up to 1,000 identifiers. One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**."""
        return cast("list[IMEIBatchItem]", await self._read(OPERATIONS["assessIdentifiers"], {}, {}, body, options))

    async def get_lookup(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> IMEILookupResult:
        """Get one lookup. A lookup record of the caller's organization, as it was returned at the time. Tier: **Enterprise**."""
        return cast("IMEILookupResult", await self._read(OPERATIONS["getLookup"], {"id": id}, {}, None, options))

    async def list_sandbox(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[SandboxIdentifier]:
        """List the sandbox identifiers. Identifiers with fixed results, for tests of an integration. No source is queried for them. Tier: **Public**."""
        return cast("list[SandboxIdentifier]", await self._read(OPERATIONS["listSandbox"], {}, {}, None, options))

    async def appraise_device(
        self,
        body: AppraisalRequest,
        *,
        options: CallOptions | None = None,
    ) -> Appraisal:
        """Appraise one device. Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an `identifier` is given."""
        return cast("Appraisal", await self._read(OPERATIONS["appraiseDevice"], {}, {}, body, options))

    def list_appraisals(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        after: str | None = None,
        reference: str | None = None,
        decision: Literal["buy", "buy_and_repair", "inspect", "reject", "identify"] | None = None,
        outcome: Literal["open", "bought", "declined", "sold"] | None = None,
        device_id: str | None = None,
        day: str | None = None,
        time_zone: str | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[Appraisal]:
        """List your organization's appraisals. Complete appraisal records of the caller's organization with their outcomes, newest first. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records. Tier: **Paid**."""
        return self._list(OPERATIONS["listAppraisals"], {}, {"page": page, "limit": limit, "after": after, "reference": reference, "decision": decision, "outcome": outcome, "device_id": device_id, "day": day, "time_zone": time_zone, "format": format, "language": language}, options)

    async def appraise_devices(
        self,
        body: AppraisalBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[AppraisalBatchItem]:
        """Appraise up to 500 devices. One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an item has an `identifier`."""
        return cast("list[AppraisalBatchItem]", await self._read(OPERATIONS["appraiseDevices"], {}, {}, body, options))

    async def preview_appraisal(
        self,
        body: AppraisalPreviewRequest,
        *,
        options: CallOptions | None = None,
    ) -> AppraisalPreview:
        """Preview an appraisal. Calculates an appraisal without recording it, with the offers for all four grades. An identifier is not looked up again: `lookup_id` names a lookup of your organization. Tier: **Paid**; **Enterprise** when a `lookup_id` is given."""
        return cast("AppraisalPreview", await self._read(OPERATIONS["previewAppraisal"], {}, {}, body, options))

    async def list_appraised_devices(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[AppraisedDevice]:
        """List the devices that you appraised. The devices that your organization appraised most, at most 200, most often first. Tier: **Paid**."""
        return cast("list[AppraisedDevice]", await self._read(OPERATIONS["listAppraisedDevices"], {}, {}, None, options))

    async def get_appraisal(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Appraisal:
        """Get one appraisal. An appraisal of the caller's organization, as it was returned, with its current outcome. Another organization's appraisal is not found. Tier: **Paid**."""
        return cast("Appraisal", await self._read(OPERATIONS["getAppraisal"], {"id": id}, {}, None, options))

    async def record_outcome(
        self,
        id: str,
        body: OutcomeRequest,
        *,
        options: CallOptions | None = None,
    ) -> RecordedOutcome:
        """Record the outcome of an appraisal. Records that you bought the device, that there was no deal, or that you sold the device. A device must be bought before it is sold. A later request corrects an earlier one; `sold` keeps the price and the day of the purchase. Prices of devices without defects become price observations of your organization and change its prices within seconds. The response is sent after the outcome is durable. Each change is in the audit trail and creates an event. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**."""
        return cast("RecordedOutcome", await self._read(OPERATIONS["recordOutcome"], {"id": id}, {}, body, options))

    async def remove_outcome(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> RecordedOutcome:
        """Remove the outcome of an appraisal. Undoes a mistake: the appraisal is open again, and the prices of the deal no longer count. The audit trail keeps the removed outcome. An appraisal without an outcome stays as it is. Tier: **Paid**."""
        return cast("RecordedOutcome", await self._read(OPERATIONS["removeOutcome"], {"id": id}, {}, None, options))

    async def record_outcomes(
        self,
        body: OutcomeBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> list[OutcomeBatchItem]:
        """Record up to 500 outcomes. One result or error per item, in the order of the request; the same appraisal may be bought and later sold in one request. All applied outcomes become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**."""
        return cast("list[OutcomeBatchItem]", await self._read(OPERATIONS["recordOutcomes"], {}, {}, body, options))

    async def list_shares(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> list[AppraisalShare]:
        """List the share codes of an appraisal. The codes on receipts of one appraisal, newest first, without their addresses. Tier: **Paid**."""
        return cast("list[AppraisalShare]", await self._read(OPERATIONS["listShares"], {"id": id}, {}, None, options))

    async def create_share(
        self,
        id: str,
        body: CreateShareBody,
        *,
        options: CallOptions | None = None,
    ) -> NewAppraisalShare:
        """Create a share code of an appraisal. Creates a code that proves a receipt genuine: anyone with its address sees the shared facts until the code is revoked. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Paid**."""
        return cast("NewAppraisalShare", await self._read(OPERATIONS["createShare"], {"id": id}, {}, body, options))

    async def revoke_share(
        self,
        id: str,
        share_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Done:
        """Revoke a share code. From now on its address shows the same page as one that never existed. Tier: **Paid**."""
        return cast("Done", await self._read(OPERATIONS["revokeShare"], {"id": id, "share_id": share_id}, {}, None, options))

    async def get_deal_report(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        time_zone: str | None = None,
        currency: str | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> DealReport:
        """Report on your deals. Deals by month, money in and out, margin and days held, from the outcomes of your organization's appraisals, and forecast against outcome: recommended offer and price paid, forecast and actual sale price, how many sales were inside the 80 % range, and how often money was lost. Amounts are in one currency; deals in other currencies are converted by the exchange rate of their day, the newest on or before it. With `format=csv` the deals of the period, one per line. Clerks need an organization that shows them margins. Tier: **Paid**."""
        return cast("DealReport", await self._read(OPERATIONS["getDealReport"], {}, {"from": from_, "to": to, "time_zone": time_zone, "currency": currency, "format": format, "language": language}, None, options))

    async def create_watch(
        self,
        body: WatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> Watch:
        """Watch an identifier or a price. Creates an event whenever an imported list, a feed or an outside source changes the status of the identifier (`identifier.status_changed`), or the resale price of the variant changes by the threshold (`price.changed`). Only later changes are reported; use a lookup for the current status. Watching the same subject again with the same reference updates the existing watch. Tier: **Enterprise**."""
        return cast("Watch", await self._read(OPERATIONS["createWatch"], {}, {}, body, options))

    def list_watches(
        self,
        *,
        after: str | None = None,
        reference: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[Watch]:
        """List your organization's watches. Oldest first, without ended watches. Continue with `after` = `meta.next_after`. Tier: **Enterprise**."""
        return self._list(OPERATIONS["listWatches"], {}, {"after": after, "reference": reference, "limit": limit}, options)

    async def delete_watch(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Watch:
        """End a watch. Ends the watch immediately. Its events remain available. Tier: **Enterprise**."""
        return cast("Watch", await self._read(OPERATIONS["deleteWatch"], {"id": id}, {}, None, options))

    def list_events(
        self,
        *,
        after: str | None = None,
        type: Literal["identifier.status_changed", "price.changed", "import.finished", "key.expiring", "appraisal.created", "appraisal.bought", "appraisal.declined", "appraisal.sold", "appraisal.reopened", "webhook.disabled", "webhook.test", "usage.threshold_reached"] | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[ServiceEvent]:
        """List events. Events of your organization and its watches of the last 30 days, oldest first. Continue with `after` = `meta.next_after` of the last response: every event is returned exactly once. After an id that is no longer stored the list starts with the oldest event. Webhook endpoints receive the same events with the same ids. Tier: **Enterprise**."""
        return self._list(OPERATIONS["listEvents"], {}, {"after": after, "type": type, "limit": limit}, options)

    async def get_usage(
        self,
        *,
        organization_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        include: Literal["keys"] | None = None,
        format: Literal["json", "csv"] | None = None,
        language: Literal["en", "de", "es", "fr", "pt", "pl", "lt", "vi", "ko"] | None = None,
        options: CallOptions | None = None,
    ) -> Usage:
        """Get your organization's usage. Requests of all API keys of the caller's organization by day, endpoint and status, and its monthly quota. Counts are up to a minute old and kept for 90 days. Available after a hard quota is used up. `include=keys` and `format=csv` need the right to manage; the file has one row per day, key, endpoint and status. Tier: **Public**."""
        return cast("Usage", await self._read(OPERATIONS["getUsage"], {}, {"organization_id": organization_id, "from": from_, "to": to, "include": include, "format": format, "language": language}, None, options))

    async def get_usage_by_hour(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> UsageHours:
        """Get your organization's usage by the hour. Requests and their latency in the last two weeks, by hour, key, endpoint and status. Tier: **Public**, with the right to **manage**."""
        return cast("UsageHours", await self._read(OPERATIONS["getUsageByHour"], {}, {"organization_id": organization_id}, None, options))

    async def list_requests(
        self,
        *,
        organization_id: str | None = None,
        key: str | None = None,
        route: str | None = None,
        status: Literal["1", "2", "3", "4", "5"] | None = None,
        before: str | None = None,
        options: CallOptions | None = None,
    ) -> list[LoggedRequest]:
        """List your organization's requests. The newest 100 requests of the last three days that match, newest first. Tier: **Public**, with the right to **manage**."""
        return cast("list[LoggedRequest]", await self._read(OPERATIONS["listRequests"], {}, {"organization_id": organization_id, "key": key, "route": route, "status": status, "before": before}, None, options))

    async def list_keys(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[ApiKey]:
        """List API keys. All keys of the organization, newest first, including revoked and expired ones. Tier: **Public**, with the right to **manage**."""
        return cast("list[ApiKey]", await self._read(OPERATIONS["listKeys"], {}, {"organization_id": organization_id}, None, options))

    async def create_key(
        self,
        body: CreateKeyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateKeyData:
        """Create an API key. Only this response contains the key itself. A key cannot create one with a higher tier or more rights than its own. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("CreateKeyData", await self._read(OPERATIONS["createKey"], {}, {"organization_id": organization_id}, body, options))

    async def change_key(
        self,
        id: str,
        body: ChangeKeyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ApiKey:
        """Change an API key. Changes the given fields. Takes effect everywhere within a second. Tier: **Public**, with the right to **manage**."""
        return cast("ApiKey", await self._read(OPERATIONS["changeKey"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def revoke_key(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Revoke an API key. Cannot be undone. Takes effect everywhere within a second. Revoking a revoked key changes nothing. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["revokeKey"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def rotate_key(
        self,
        id: str,
        body: RotateKeyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> RotateKeyData:
        """Replace an API key. Creates a key with the same tier, rights and limits. The old key works until the overlap ends. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("RotateKeyData", await self._read(OPERATIONS["rotateKey"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def get_policy(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> OwnPolicy:
        """Get the buying policy. The policy that appraisals of the organization use, and whether the prices of its own deals count in its prices. Tier: **Public**, with the right to **manage**."""
        return cast("OwnPolicy", await self._read(OPERATIONS["getPolicy"], {}, {"organization_id": organization_id}, None, options))

    async def change_policy(
        self,
        body: ChangePolicyBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> OwnPolicy:
        """Change the buying policy. Changes the given fields; null goes back to the default. Amounts are converted if the currency changes. Tier: **Public**, with the right to **manage**."""
        return cast("OwnPolicy", await self._read(OPERATIONS["changePolicy"], {}, {"organization_id": organization_id}, body, options))

    async def get_receipt_details(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> GetReceiptDetailsData:
        """Get the details of receipts. What the organization prints on its receipts. Tier: **Public**, with the right to **manage**."""
        return cast("GetReceiptDetailsData", await self._read(OPERATIONS["getReceiptDetails"], {}, {"organization_id": organization_id}, None, options))

    async def replace_receipt_details(
        self,
        body: ReplaceReceiptDetailsBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ReplaceReceiptDetailsData:
        """Replace the details of receipts. Replaces what the organization prints on its receipts. Tier: **Public**, with the right to **manage**."""
        return cast("ReplaceReceiptDetailsData", await self._read(OPERATIONS["replaceReceiptDetails"], {}, {"organization_id": organization_id}, body, options))

    async def list_webhooks(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Webhook]:
        """List webhook endpoints. All webhook endpoints of the organization. Tier: **Public**, with the right to **manage**."""
        return cast("list[Webhook]", await self._read(OPERATIONS["listWebhooks"], {}, {"organization_id": organization_id}, None, options))

    async def create_webhook(
        self,
        body: CreateWebhookBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateWebhookData:
        """Create a webhook endpoint. It receives events from now on. Only this response contains the signing secret. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("CreateWebhookData", await self._read(OPERATIONS["createWebhook"], {}, {"organization_id": organization_id}, body, options))

    async def change_webhook(
        self,
        id: str,
        body: ChangeWebhookBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Webhook:
        """Enable a disabled webhook endpoint. Pending deliveries are sent at once. Tier: **Public**, with the right to **manage**."""
        return cast("Webhook", await self._read(OPERATIONS["changeWebhook"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def remove_webhook(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove a webhook endpoint. Also deletes its deliveries. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["removeWebhook"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def rotate_webhook_secret(
        self,
        id: str,
        body: RotateWebhookSecretBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> RotateWebhookSecretData:
        """Replace the secret of a webhook endpoint. Deliveries carry signatures of both secrets until the overlap ends. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**."""
        return cast("RotateWebhookSecretData", await self._read(OPERATIONS["rotateWebhookSecret"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def test_webhook(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> TestWebhookData:
        """Send a test event. Sends an event of type `webhook.test` to the endpoint. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**."""
        return cast("TestWebhookData", await self._read(OPERATIONS["testWebhook"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def list_webhook_deliveries(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        state: Literal["pending", "delivered", "failed"] | None = None,
        type: Literal["identifier.status_changed", "price.changed", "import.finished", "key.expiring", "appraisal.created", "appraisal.bought", "appraisal.declined", "appraisal.sold", "appraisal.reopened", "webhook.disabled", "webhook.test", "usage.threshold_reached"] | None = None,
        options: CallOptions | None = None,
    ) -> list[WebhookDelivery]:
        """List deliveries of a webhook endpoint. The last 100 deliveries that match, newest first. Tier: **Public**, with the right to **manage**."""
        return cast("list[WebhookDelivery]", await self._read(OPERATIONS["listWebhookDeliveries"], {"id": id}, {"organization_id": organization_id, "state": state, "type": type}, None, options))

    async def replay_webhook_deliveries(
        self,
        id: str,
        body: ReplayWebhookDeliveriesBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ReplayWebhookDeliveriesData:
        """Send events again. One event, or those of a time range, with the same event ids as before. Tier: **Public**, with the right to **manage**."""
        return cast("ReplayWebhookDeliveriesData", await self._read(OPERATIONS["replayWebhookDeliveries"], {"id": id}, {"organization_id": organization_id}, body, options))

    def list_organizations(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[Organization]:
        """List organizations. All organizations of the service, oldest first. Tier: **Public**, with the right to **operate**."""
        return self._list(OPERATIONS["listOrganizations"], {}, {"after": after, "limit": limit}, options)

    async def create_organization(
        self,
        body: CreateOrganizationBody,
        *,
        options: CallOptions | None = None,
    ) -> Organization:
        """Create an organization. Absent fields get the defaults of the service; the currency is that of the market. Invite its first owner with `inviteMember`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Organization", await self._read(OPERATIONS["createOrganization"], {}, {}, body, options))

    async def get_organization(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Organization:
        """Get one organization. Tier, limits, quota and market of an organization. Tier: **Public**, with the right to **operate**."""
        return cast("Organization", await self._read(OPERATIONS["getOrganization"], {"id": id}, {}, None, options))

    async def change_organization(
        self,
        id: str,
        body: ChangeOrganizationBody,
        *,
        options: CallOptions | None = None,
    ) -> Organization:
        """Change an organization. Changes the given fields. Keys, watches and webhook events above a lower tier pause until it is raised again. Tier: **Public**, with the right to **operate**."""
        return cast("Organization", await self._read(OPERATIONS["changeOrganization"], {"id": id}, {}, body, options))

    async def remove_organization(
        self,
        id: str,
        *,
        confirm: str,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove an organization. Ends all access at once, then deletes everything stored of the organization within minutes; until then it is still listed. Cannot be undone. The organization that runs the service cannot be removed. Tier: **Public**, with the right to **operate**."""
        return cast("Done", await self._read(OPERATIONS["removeOrganization"], {"id": id}, {"confirm": confirm}, None, options))

    def list_audit_entries(
        self,
        *,
        organization_id: str | None = None,
        after: str | None = None,
        who: str | None = None,
        kind: Literal["appraisal", "backup", "feed", "import", "invitation", "key", "list", "mail", "member", "observations", "organization", "person", "setting", "source", "tac", "watch", "webhook"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        time_zone: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPaged[AuditEntry]:
        """List the audit trail. Changes of the organization and changes that concern all organizations, newest first. Tier: **Public**, with the right to **manage**."""
        return self._list(OPERATIONS["listAuditEntries"], {}, {"organization_id": organization_id, "after": after, "who": who, "kind": kind, "from": from_, "to": to, "time_zone": time_zone, "limit": limit}, options)

    async def list_attention(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[AttentionItem]:
        """List problems that need attention. Worst first: keys that expire soon and, for owners, stale lists, sources that do not respond, and failed imports and feeds. Tier: **Public**, with the right to **manage**."""
        return cast("list[AttentionItem]", await self._read(OPERATIONS["listAttention"], {}, {"organization_id": organization_id}, None, options))

    async def list_tacs(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ConfirmedTacs:
        """List learned TACs. Models that the organization confirmed for type allocation codes by its appraisals, lookups and imports. A model that two independent organizations or the operator confirmed applies to all. Tier: **Public**, with the right to **manage**."""
        return cast("ConfirmedTacs", await self._read(OPERATIONS["listTacs"], {}, {"organization_id": organization_id}, None, options))

    async def confirm_tac(
        self,
        tac: str,
        body: ConfirmTacBody,
        *,
        options: CallOptions | None = None,
    ) -> Done:
        """Confirm the model of a TAC for all organizations. Lookups of all organizations use the confirmed model. Tier: **Public**, with the right to **operate**."""
        return cast("Done", await self._read(OPERATIONS["confirmTac"], {"tac": tac}, {}, body, options))

    async def forget_tac(
        self,
        tac: str,
        *,
        organization_id: str | None = None,
        device_id: str,
        scope: Literal["own", "all"] | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove the confirmed model of a TAC. Lookups no longer use the model unless others confirmed it. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["forgetTac"], {"tac": tac}, {"organization_id": organization_id, "device_id": device_id, "scope": scope}, None, options))

    async def list_rates(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[CurrencyRate]:
        """List exchange rates. The newest exchange rate of every currency. All organizations share them. Tier: **Public**, with the right to **manage**."""
        return cast("list[CurrencyRate]", await self._read(OPERATIONS["listRates"], {}, {}, None, options))

    async def update_rates(
        self,
        *,
        options: CallOptions | None = None,
    ) -> list[CurrencyRate]:
        """Update the exchange rates. Imports the newest reference rates of the European Central Bank and returns the rates in use. Tier: **Public**, with the right to **operate**."""
        return cast("list[CurrencyRate]", await self._read(OPERATIONS["updateRates"], {}, {}, None, options))

    async def get_phone_access(
        self,
        *,
        origin: str | None = None,
        options: CallOptions | None = None,
    ) -> PhoneAccess:
        """Get the addresses of the dashboard for a phone. How a phone on the same network opens the dashboard, and what prevents it. Tier: **Public**, with the right to **manage**."""
        return cast("PhoneAccess", await self._read(OPERATIONS["getPhoneAccess"], {}, {"origin": origin}, None, options))

    async def get_uploads(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Uploads:
        """Get the current upload and the limits of uploads. The unfinished or last upload of the caller, the size of parts, and the values that options can have. For the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("Uploads", await self._read(OPERATIONS["getUploads"], {}, {"organization_id": organization_id}, None, options))

    async def create_upload(
        self,
        body: CreateUploadBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Begin an upload. An import in four steps: begin the upload, send the file in parts, check it, run it. A new upload replaces the unfinished one of the same caller. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", await self._read(OPERATIONS["createUpload"], {}, {"organization_id": organization_id}, body, options))

    async def send_upload_part(
        self,
        id: str,
        body: SendUploadPartBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> SendUploadPartData:
        """Send a part of the file. At most 700,000 bytes per part, in order. Sending the same part again is safe. Tier: **Public**, with the right to **operate**."""
        return cast("SendUploadPartData", await self._read(OPERATIONS["sendUploadPart"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def get_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Get an upload. State, progress, preview after the check, and the import. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", await self._read(OPERATIONS["getUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def discard_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Discard an upload. Deletes the file. Stop it first while it is being read. Tier: **Public**, with the right to **operate**."""
        return cast("Done", await self._read(OPERATIONS["discardUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def check_upload(
        self,
        id: str,
        body: CheckUploadBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Check an upload. Reads the whole file without writing anything. Poll `getUpload` until `state` is `checked`; `preview` then says what an import would do, and `failure` why it cannot be imported. Options are those of the `import` command. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", await self._read(OPERATIONS["checkUpload"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def run_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Import a checked upload. Poll `getUpload` until `state` is `ended`; `run` is the import. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", await self._read(OPERATIONS["runUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def stop_upload(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Stop a check or an import. Rows imported until then are kept. Tier: **Public**, with the right to **operate**."""
        return cast("Done", await self._read(OPERATIONS["stopUpload"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def list_imports(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Import]:
        """List imports. The newest imports of the service. File names and failures are shown to its operator only. Tier: **Public**, with the right to **manage**."""
        return cast("list[Import]", await self._read(OPERATIONS["listImports"], {}, {"organization_id": organization_id}, None, options))

    async def get_rejected_rows(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> str:
        """Download the rejected rows of an import. The rejected rows as CSV: line, reason, detail and the original columns. For the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("str", await self._read_text(OPERATIONS["getRejectedRows"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def undo_import(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> UndoImportData:
        """Undo an import of prices. Removes the prices of the import and brings back those that it replaced. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("UndoImportData", await self._read(OPERATIONS["undoImport"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def retry_import(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Upload:
        """Upload the rejected rows of an import again. Makes an upload of the rejected rows and checks it with the options of the import. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("Upload", await self._read(OPERATIONS["retryImport"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def list_feeds(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> list[Feed]:
        """List feeds. Files that the service fetches and imports by schedule. Tier: **Public**, with the right to **manage**."""
        return cast("list[Feed]", await self._read(OPERATIONS["listFeeds"], {}, {"organization_id": organization_id}, None, options))

    async def get_service_settings(
        self,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Get the settings of the service. Settings, identifier sources, feeds, backups and mail of the whole service. Secrets are never returned. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["getServiceSettings"], {}, {}, None, options))

    async def change_service_settings(
        self,
        body: ChangeServiceSettingsBody,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Change settings of the service. Null goes back to the default. A setting of the environment cannot be changed here. All settings are changed, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["changeServiceSettings"], {}, {}, body, options))

    async def put_source(
        self,
        name: str,
        body: PutSourceBody,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Add or change an identifier source. Secrets that are not sent stay as they are stored, unless the host changes. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["putSource"], {"name": name}, {}, body, options))

    async def remove_source(
        self,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Remove an identifier source. Lookups no longer query it. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["removeSource"], {"name": name}, {}, None, options))

    async def test_source(
        self,
        body: TestSourceBody,
        *,
        options: CallOptions | None = None,
    ) -> SourceTest:
        """Query an identifier source once. Queries a stored source, or a definition before it is stored, about one identifier. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("SourceTest", await self._read(OPERATIONS["testSource"], {}, {}, body, options))

    async def replace_sources(
        self,
        body: ReplaceSourcesBody,
        *,
        options: CallOptions | None = None,
    ) -> EntryChanges:
        """Replace all identifier sources. Makes the document the whole list: sources that are not in it are removed. Secrets that it leaves out stay as they are stored. All sources are replaced, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("EntryChanges", await self._read(OPERATIONS["replaceSources"], {}, {}, body, options))

    async def put_feed(
        self,
        name: str,
        body: PutFeedBody,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Add or change a feed. Headers that are not sent stay as they are stored, unless the host changes. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["putFeed"], {"name": name}, {}, body, options))

    async def remove_feed(
        self,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Remove a feed. Its imports stay. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["removeFeed"], {"name": name}, {}, None, options))

    async def run_feed(
        self,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> Done:
        """Run a feed now. Starts fetching and importing a feed; `listFeeds` shows the result. Has no effect on a feed that is already running. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("Done", await self._read(OPERATIONS["runFeed"], {"name": name}, {}, None, options))

    async def replace_feeds(
        self,
        body: ReplaceFeedsBody,
        *,
        options: CallOptions | None = None,
    ) -> EntryChanges:
        """Replace all feeds. Makes the document the whole list: feeds that are not in it are removed. Headers that it leaves out stay as they are stored. All feeds are replaced, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("EntryChanges", await self._read(OPERATIONS["replaceFeeds"], {}, {}, body, options))

    async def start_backup(
        self,
        *,
        options: CallOptions | None = None,
    ) -> ServiceSettings:
        """Start a backup. Copies the embedded database to the folder of backups; `backup` of the settings shows when it is complete. For owners of the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**."""
        return cast("ServiceSettings", await self._read(OPERATIONS["startBackup"], {}, {}, None, options))

    async def send_test_mail(
        self,
        body: SendTestMailBody,
        *,
        options: CallOptions | None = None,
    ) -> MailTest:
        """Send a test message. Sends a message by the mail server of `SMTP_URL` and returns its error, if there is one. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**."""
        return cast("MailTest", await self._read(OPERATIONS["sendTestMail"], {}, {}, body, options))

    async def list_members(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ListMembersData:
        """List members and invitations. Members of the organization and open invitations. Tier: **Public**, with the right to **manage**."""
        return cast("ListMembersData", await self._read(OPERATIONS["listMembers"], {}, {"organization_id": organization_id}, None, options))

    async def invite_member(
        self,
        body: InviteMemberBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> InviteMemberData:
        """Invite a person. The link lets the person choose a password and join the organization. It works once. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**."""
        return cast("InviteMemberData", await self._read(OPERATIONS["inviteMember"], {}, {"organization_id": organization_id}, body, options))

    async def withdraw_invitation(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Withdraw an invitation. The link of the invitation stops working. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["withdrawInvitation"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def change_member_role(
        self,
        id: str,
        body: ChangeMemberRoleBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Change a member's role. An organization keeps at least one owner. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["changeMemberRole"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def remove_member(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove a member. The account is deleted and its sessions end at once. An organization keeps at least one owner. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["removeMember"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def reset_member_password(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ResetMemberPasswordData:
        """Reset a member's password. The link lets the person choose a new password. It works once. Using it ends all sessions and issuer identities of the account. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**."""
        return cast("ResetMemberPasswordData", await self._read(OPERATIONS["resetMemberPassword"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def change_member_email(
        self,
        id: str,
        body: ChangeMemberEmailBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Change a member's e-mail address. Ends the issuer identities, open links and sessions of the account. A mail to the old address reports the change. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["changeMemberEmail"], {"id": id}, {"organization_id": organization_id}, body, options))

    async def reset_member_second_factor(
        self,
        id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Done:
        """Remove a member's second factor. Removes authenticator app, passkeys, recovery codes and issuer identities and ends all sessions of the account. Tier: **Public**, with the right to **manage**."""
        return cast("Done", await self._read(OPERATIONS["resetMemberSecondFactor"], {"id": id}, {"organization_id": organization_id}, None, options))

    async def get_settings(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> GetSettingsData:
        """Get name, market and currency. Settings of the organization. Tier: **Public**, with the right to **manage**."""
        return cast("GetSettingsData", await self._read(OPERATIONS["getSettings"], {}, {"organization_id": organization_id}, None, options))

    async def change_settings(
        self,
        body: ChangeSettingsBody,
        *,
        organization_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ChangeSettingsData:
        """Change name, market or currency. Changes the given fields. A new market also sets its currency, unless `currency` is given. Tier: **Public**, with the right to **manage**."""
        return cast("ChangeSettingsData", await self._read(OPERATIONS["changeSettings"], {}, {"organization_id": organization_id}, body, options))
