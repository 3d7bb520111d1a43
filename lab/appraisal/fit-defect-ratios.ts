import type { BundledDefectRatios, DefectRatioPoint } from '../../src/appraisal/defect-ratios.ts'
import { DEFECT_GRADES, type DefectGrade, isDefectGrade } from '../../src/catalog/grade.ts'
import type { DealerQuote } from './dealer-quotes.ts'

/** Upper ends of the price bands: the quote for a Good device in US dollars. */
const BANDS_USD = [150, 350, Number.POSITIVE_INFINITY] as const
const BAND_CENTRES_CENTS = [9_000, 25_000, 45_000] as const
/** Number of models at which a cell weighs as much as its prior from family and band. */
const PRIOR_MODELS = 2
/** A list on another scale counts as no more models than this. */
const MAX_LIST_MODELS = 3
const FAMILIES = { iphone: 'Apple', galaxy: 'Samsung' } as const
type Family = keyof typeof FAMILIES

type Cell = { readonly family: Family; readonly band: number; readonly state: DefectGrade; ln: number; models: number }

const mean = (items: readonly { ln: number; models: number }[]) => {
  const weight = items.reduce((sum, { models }) => sum + models, 0)
  return weight === 0 ? null : items.reduce((sum, { ln, models }) => sum + ln * models, 0) / weight
}

/**
 * Fits the price of a defective device relative to a Good one, by family and price band. The shop defines the states and the
 * level; grade D of the wholesale lists is on another scale, so these lists only determine how the ratio changes with price.
 * Cells are shrunk towards family and band effects by their number of models.
 */
export function fitDefectRatios(
  shop: readonly DealerQuote[],
  wholesale: readonly DealerQuote[],
): BundledDefectRatios['families'] {
  const cells = [...cellsOf(shop), ...shiftedToShop(cellsOf(wholesale), cellsOf(shop))]
  const cellsInState = (state: DefectGrade, matches: (cell: Cell) => boolean = () => true) =>
    cells.filter((cell) => cell.state === state && matches(cell))
  const pooled = (state: DefectGrade, band: number) => {
    const overall = mean(cellsInState(state)) ?? 0
    const bandCells = cellsInState(state, (cell) => cell.band === band)
    const models = bandCells.reduce((sum, each) => sum + each.models, 0)
    return overall + ((mean(bandCells) ?? overall) - overall) * (models / (models + PRIOR_MODELS))
  }
  const estimate = (family: Family, band: number, state: DefectGrade) => {
    const offset = mean(
      cellsInState(state, (cell) => cell.family === family).map(({ ln, models, band: at }) => ({
        ln: ln - pooled(state, at),
        models,
      })),
    )
    const prior = pooled(state, band) + (offset ?? 0)
    const ownCells = cellsInState(state, (cell) => cell.family === family && cell.band === band)
    const models = ownCells.reduce((sum, each) => sum + each.models, 0)
    return prior + ((mean(ownCells) ?? prior) - prior) * (models / (models + PRIOR_MODELS))
  }
  const points = (lnStep: (band: number, state: DefectGrade) => number): DefectRatioPoint[] =>
    BAND_CENTRES_CENTS.map((goodCents, band) => {
      const share = (...steps: DefectGrade[]) =>
        Math.round(1_000 * Math.exp(steps.reduce((sum, state) => sum + lnStep(band, state), 0))) / 1_000
      return {
        good_cents: goodCents,
        damaged: share('damaged'),
        broken: share('damaged', 'broken'),
        dead: share('damaged', 'broken', 'dead'),
      }
    })
  return {
    iphone: points((band, state) => estimate('iphone', band, state)),
    galaxy: points((band, state) => estimate('galaxy', band, state)),
    other: points((band, state) => pooled(state, band)),
  }
}

const bandOf = ({ goodUsd }: DealerQuote) => BANDS_USD.findIndex((end) => goodUsd < end)

function cellsOf(quotes: readonly DealerQuote[]): Cell[] {
  const defective = quotes.filter((quote) => isDefectGrade(quote.class))
  return (Object.keys(FAMILIES) as Family[]).flatMap((family) =>
    BANDS_USD.flatMap((_, band) =>
      DEFECT_GRADES.flatMap((state) => {
        const rows = defective.filter(
          (quote) => quote.device.make === FAMILIES[family] && bandOf(quote) === band && quote.class === state,
        )
        if (rows.length === 0) return []
        const ln = rows.reduce((sum, row) => sum + stepOf(row, defective), 0) / rows.length
        return [{ family, band, state, ln, models: new Set(rows.map(({ device }) => device.id)).size }]
      }),
    ),
  )
}

const STATE_BEFORE = { damaged: null, broken: 'damaged', dead: 'broken' } as const

/** How much less (ln) than for the next better state of the same variant, so that states keep their order. */
function stepOf({ class: state, variant, paidUsd, goodUsd }: DealerQuote, quotes: readonly DealerQuote[]): number {
  const betterState = STATE_BEFORE[state as DefectGrade]
  const better = betterState && quotes.find((quote) => quote.class === betterState && quote.variant === variant)
  return Math.min(0, Math.log(paidUsd / (better?.paidUsd ?? goodUsd)))
}

/** The lists of a family moved to the level of the shop; they then inform how the ratio moves with price. */
function shiftedToShop(lists: readonly Cell[], shop: readonly Cell[]): Cell[] {
  return (Object.keys(FAMILIES) as Family[]).flatMap((family) => {
    const familyCells = lists.filter((cell) => cell.family === family)
    const pairs = familyCells.flatMap((cell) => {
      const shopCell = shop.find(
        (each) => each.family === family && each.band === cell.band && each.state === cell.state,
      )
      return shopCell ? [{ ln: shopCell.ln - cell.ln, models: Math.min(shopCell.models, cell.models) }] : []
    })
    const offset = mean(pairs)
    return offset === null
      ? []
      : familyCells.map((cell) => ({ ...cell, ln: cell.ln + offset, models: Math.min(cell.models, MAX_LIST_MODELS) }))
  })
}
