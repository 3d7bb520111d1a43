/** Prints the page, or the label that belongs to it; resolves when the dialog of the printer is closed. */
export function printPage(what?: 'label'): Promise<void> {
  const { dataset } = document.documentElement
  return new Promise((resolve) => {
    const end = () => {
      delete dataset.print
      resolve()
    }
    window.addEventListener('afterprint', end, { once: true })
    if (what) dataset.print = what
    window.print()
  })
}
