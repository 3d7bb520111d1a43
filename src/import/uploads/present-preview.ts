import type { PreviewRowWire, PricePreviewWire, UploadPreviewWire } from '../../contract/uploads.ts'
import { presentTerm } from '../present-import.ts'
import { formatPriceEffect, isLargeEffect } from '../prices/price-effect.ts'
import type { PricePreview, SampleRow } from '../prices/price-preview.ts'
import type { RowReport } from '../row-report-service.ts'

const MAX_UNKNOWN_NAMES = 200

export function presentPreview({
  columns,
  implied,
  rows,
  rejected,
  unknownConditions,
  questions,
  assumed,
  terms,
  effect,
}: PricePreview): PricePreviewWire {
  return {
    columns: columns.map(({ name, field, examples }) => ({ name, field, examples: [...examples] })),
    implied: { ...implied },
    rows: rows.map(presentRow),
    rejected: rejected.map(({ reason, rows: examples }) => ({ reason, rows: examples.map(presentRow) })),
    unknown_conditions: unknownConditions.map(({ word, rows: count }) => ({ word, rows: count })),
    questions: questions.map(({ name, guess }) => ({ name, guess })),
    terms: terms.map(presentTerm),
    assumed: assumed && { market: assumed.market, currency: assumed.currency, vat: assumed.vat },
    effect: effect && {
      text: formatPriceEffect(effect),
      average_percent: effect.averagePercent,
      largest: effect.largest.map(({ deviceId, ...move }) => ({ device_id: deviceId, ...move })),
      departures: effect.departures.map(({ deviceId, name, firstPrice, after }) => ({
        device_id: deviceId,
        name,
        first_price: firstPrice,
        after,
      })),
      others: {
        devices: effect.others.devices,
        average_percent: effect.others.averagePercent,
        largest: effect.others.largest.map(({ deviceId, ...move }) => ({ device_id: deviceId, ...move })),
      },
      is_large: isLargeEffect(effect),
    },
  }
}

function presentRow({ line, original: raw, price, problem }: SampleRow): PreviewRowWire {
  if (!price) return { line, raw, parsed: null, problem }
  const { deviceId, variantId, configuration, ...rest } = price
  return { line, raw, parsed: { device_id: deviceId, variant_id: variantId, configuration, ...rest }, problem }
}

export function presentReport(
  report: RowReport,
): Pick<UploadPreviewWire, 'rejected_by' | 'remarks' | 'unknown_models' | 'added'> {
  return {
    rejected_by: { ...report.rejectedBy() },
    remarks: { ...report.remarks() },
    unknown_models: report
      .unknownCounts()
      .slice(0, MAX_UNKNOWN_NAMES)
      .map(([name, count]) => ({ name, count })),
    added: report.additions().map(([variant_id, rows]) => ({ variant_id, rows })),
  }
}
