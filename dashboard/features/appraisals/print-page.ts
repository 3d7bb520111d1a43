/** Prints the page; resolves when the dialog of the printer is closed. */
export function printPage(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('afterprint', () => resolve(), { once: true })
    window.print()
  })
}
