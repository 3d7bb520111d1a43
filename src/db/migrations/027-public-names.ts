import { type RawBuilder, sql } from 'kysely'
import type { Migration } from './index.ts'

/** JSON keys of policy terms, and of the audit entries about them. */
const POLICY_TERMS = {
  most_unknown_points: 'max_unverified_risk_points',
  most_loss_probability: 'max_loss_probability',
  least_profit: 'min_profit',
  at_low_risk: 'action_at_low_risk',
  at_medium_risk: 'action_at_medium_risk',
  at_high_risk: 'action_at_high_risk',
  at_critical_risk: 'action_at_critical_risk',
  without_identifier: 'action_without_identifier',
}

const APPRAISAL_FIELDS = {
  ...POLICY_TERMS,
  plans_left_out: 'rejected_plans',
  because: 'reason',
  left: 'running_total',
  found_by: 'identified_by',
  open_attributes: 'unresolved_attributes',
  matters: 'affects_price',
  fees: 'selling_fee',
  holding: 'holding_and_depreciation',
  return: 'return_on_cost',
}

/** Codes of `offer.reasons[]` and `identity.contradictions[]`. */
const REASON_CODES = {
  resale: 'resale_price',
  further_defects: 'unrepaired_defects',
  parts: 'parts_cost',
  labour: 'labour_cost',
  holding: 'holding_cost',
  market_drift: 'expected_depreciation',
  least_profit: 'min_profit',
  loss_limit: 'price_risk_margin',
  better_grade: 'capped_by_better_condition',
  nothing_left: 'negative_offer_set_to_zero',
  going_rate: 'market_buyback_cap',
  listed: 'blacklisted',
  too_much_unknown: 'unverified_risk_too_high',
  contradiction: 'conflicting_input',
  not_identified: 'device_not_identified',
  no_price: 'price_unavailable',
  cheapest_variant: 'cheapest_variant_assumed',
  grade_not_given: 'condition_missing',
  variant_of_another_device: 'variant_device_mismatch',
  text_names_another_device: 'text_device_mismatch',
  identifier_of_another_model: 'identifier_device_mismatch',
  attribute_not_offered: 'attribute_not_available',
}

type Replacement = readonly [from: string, to: string]

/** `JSON.stringify` escapes quotes inside strings, so `"name":` can only be a key. */
const keys = (names: Readonly<Record<string, string>>): Replacement[] =>
  Object.entries(names).map(([from, to]) => [`"${from}":`, `"${to}":`])

const APPRAISAL_REPLACEMENTS: readonly Replacement[] = [
  ...keys(APPRAISAL_FIELDS),
  // Risk factors have `points` after their code: their codes stay as they are.
  ...Object.entries(REASON_CODES).map(
    ([from, to]): Replacement => [`"code":"${from}","message"`, `"code":"${to}","message"`],
  ),
  ['"plan":"parts"', '"plan":"sell_for_parts"'],
]

const replaced = (column: string, replacements: readonly Replacement[]) =>
  replacements.reduce<RawBuilder<unknown>>(
    (text, [from, to]) => sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`,
    sql.ref(column),
  )

/** Renames fields, codes and event types of the public API in stored JSON. */
export const migration: Migration = {
  name: '027-public-names',
  async up(db) {
    const appraisal = replaced('answer', APPRAISAL_REPLACEMENTS)
    for (const table of ['appraisal', 'idempotency']) {
      await sql`update ${sql.table(table)} set answer = ${appraisal} where answer like '%"plans_left_out":%'`.execute(
        db,
      )
    }
    await sql`update appraisal_policy set document = ${replaced('document', keys(POLICY_TERMS))}`.execute(db)
    await sql`update activity set detail = ${replaced('detail', keys(POLICY_TERMS))}
      where action = 'organization.policy_changed'`.execute(db)
    const prices = keys({ previous: 'previous_price', current: 'current_price' })
    await sql`update event set type = 'price.changed', data = ${replaced('data', prices)}
      where type = 'price.moved'`.execute(db)
    await sql`update webhook_endpoint set types = replace(types, 'price.moved', 'price.changed')`.execute(db)
  },
}
