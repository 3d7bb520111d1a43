const MAX_WIDTHS = [480, 320, 200, 120]
/** What the service accepts. */
const MAX_LENGTH = 40_000

/** The image as a data URL, scaled down until it is small enough for a receipt. */
export async function readLogo(file: Blob): Promise<string> {
  const image = await createImageBitmap(file)
  for (const maxWidth of MAX_WIDTHS) {
    const scale = Math.min(1, maxWidth / image.width, maxWidth / image.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(image.width * scale))
    canvas.height = Math.max(1, Math.round(image.height * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const url = canvas.toDataURL('image/png')
    if (url.length <= MAX_LENGTH) return url
  }
  throw new Error('image has too much detail')
}
