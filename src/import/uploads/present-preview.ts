import type { PricePreviewWire, SampleRowWire, UploadPreviewWire } from '../../contract/uploads.ts'
import type { PricePreview, SampleRow } from '../market/preview.ts'
import type { RowReport } from '../report.ts'

const MOST_NAMED = 200

export function presentPreview({ columns, implied, rows, refused, unknownConditions }: PricePreview): PricePreviewWire {
  return {
    columns: columns.map(({ name, readAs, examples }) => ({ name, read_as: readAs, examples: [...examples] })),
    implied: { ...implied },
    rows: rows.map(presentRow),
    refused: refused.map(({ reason, rows: examples }) => ({ reason, rows: examples.map(presentRow) })),
    unknown_conditions: unknownConditions.map(({ word, rows: count }) => ({ word, rows: count })),
  }
}

function presentRow({ line, came, read, problem }: SampleRow): SampleRowWire {
  if (!read) return { line, came, read, problem }
  const { deviceId, variantId, configuration, ...rest } = read
  return { line, came, read: { device_id: deviceId, variant_id: variantId, configuration, ...rest }, problem }
}

/** What became, or would become, of the rows. */
export function presentReport(
  report: RowReport,
): Pick<UploadPreviewWire, 'rejected_by' | 'remarks' | 'unknown' | 'added'> {
  return {
    rejected_by: { ...report.rejectedBy() },
    remarks: { ...report.remarks() },
    unknown: report
      .tallies()
      .slice(0, MOST_NAMED)
      .map(([name, count]) => ({ name, count })),
    added: report.additions().map(([variant_id, rows]) => ({ variant_id, rows })),
  }
}
