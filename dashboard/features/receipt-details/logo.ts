import { scaleImage } from '../../scale-image.ts'

/** What the service accepts. */
const MAX_LENGTH = 40_000

/** The image as a data URL, scaled down until it is small enough for a receipt. */
export const readLogo = (file: Blob): Promise<string> =>
  scaleImage(file, { sides: [480, 320, 200, 120], maxLength: MAX_LENGTH, type: 'image/png' })
