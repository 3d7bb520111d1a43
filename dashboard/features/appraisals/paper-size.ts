import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Paper } from './receipt.tsx'

const MM_PER_PIXEL = 25.4 / 96
const MARGIN_MM = 3
const ROLL_WIDTH_MM = 80
/** Rounding of the printer must not push the last line to a second page. */
const SPARE_MM = 1

/** Height of a sheet without its padding: on paper, margins of the page replace it. */
function contentHeight(sheet: Element): number {
  const { paddingTop, paddingBottom } = getComputedStyle(sheet)
  return sheet.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)
}

/**
 * Sets the page size for printing. A receipt roll is cut where the receipt ends, which style sheets cannot say, so the
 * height of the longest sheet is measured. On the screen the sheets have the width of the printed ones.
 */
export function usePaperSize(sheets: RefObject<HTMLElement | null>, paper: Paper): void {
  useLayoutEffect(() => {
    const element = sheets.current
    if (paper === 'a4' || !element) return
    const pageRule = new CSSStyleSheet()
    document.adoptedStyleSheets.push(pageRule)
    const measure = () => {
      const content = Math.max(0, ...[...element.children].map(contentHeight))
      const heightMm = Math.ceil(content * MM_PER_PIXEL) + 2 * MARGIN_MM + SPARE_MM
      pageRule.replaceSync(`@page receipt { size: ${ROLL_WIDTH_MM}mm ${heightMm}mm; margin: ${MARGIN_MM}mm }`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== pageRule)
    }
  }, [sheets, paper])
}

const PAPER_KEY = 'receipt-paper'

/** The paper of the printer at this device, kept in the browser. */
export function useChosenPaper(): [Paper, (paper: Paper) => void] {
  const [paper, setPaper] = useState<Paper>(localStorage.getItem(PAPER_KEY) === 'roll' ? 'roll' : 'a4')
  return [
    paper,
    (chosen) => {
      localStorage.setItem(PAPER_KEY, chosen)
      setPaper(chosen)
    },
  ]
}
