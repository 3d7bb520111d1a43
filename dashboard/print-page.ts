/** Prints the page, or the label that belongs to it; resolves when the dialog of the printer is closed. */
export async function printPage(what?: 'label'): Promise<void> {
  // A browser prints a picture that it has not decoded yet as an empty space.
  await Promise.allSettled([...document.images].map((image) => image.decode()))
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
