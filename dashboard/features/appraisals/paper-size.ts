import { type RefObject, useLayoutEffect } from 'react'
import type { Paper } from './receipt.tsx'

const MM_PER_PIXEL = 25.4 / 96
const MARGIN_MM = 3
const ROLL_WIDTH_MM = 80
/** Rounding of the printer must not push the last line to a second page. */
const SPARE_MM = 1

/**
 * Sets the page size for printing. A receipt roll is cut where the receipt ends, which style sheets cannot say, so its
 * height is measured.
 */
export function usePaperSize(sheet: RefObject<HTMLElement | null>, paper: Paper): void {
  useLayoutEffect(() => {
    const element = sheet.current
    if (paper === 'a4' || !element) return
    const pageRule = new CSSStyleSheet()
    document.adoptedStyleSheets.push(pageRule)
    const measure = () => {
      // The sheet on the screen has the width of the printed one; on paper, margins of the page replace its padding.
      const { paddingTop, paddingBottom } = getComputedStyle(element)
      const content = element.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)
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
  }, [sheet, paper])
}
