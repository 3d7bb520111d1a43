/** The image as a data URL, with neither side longer than `maxSide`. Encoding it anew drops what the camera added, such as the place. */
function encode(image: ImageBitmap, maxSide: number, type: 'image/png' | 'image/jpeg', quality?: number): string {
  const scale = Math.min(1, maxSide / image.width, maxSide / image.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL(type, quality)
}

/** The image scaled down until its data URL is short enough. */
export async function scaleImage(
  file: Blob,
  {
    sides,
    maxLength,
    type,
  }: { readonly sides: readonly number[]; readonly maxLength: number; readonly type: 'image/png' | 'image/jpeg' },
): Promise<string> {
  const image = await createImageBitmap(file)
  for (const side of sides) {
    const url = encode(image, side, type, 0.8)
    if (url.length <= maxLength) return url
  }
  throw new Error('image has too much detail')
}

/** 300 kB in base64. */
const MAX_PHOTO_LENGTH = 400_000

/** A photo of the camera, small enough for the service. */
export const scalePhoto = (file: Blob): Promise<string> =>
  scaleImage(file, { sides: [1600, 1200, 900, 600], maxLength: MAX_PHOTO_LENGTH, type: 'image/jpeg' })
