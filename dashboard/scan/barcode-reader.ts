import wasmPath from 'zxing-wasm/reader/zxing_reader.wasm'

/** Reads every barcode of a picture. */
export type BarcodeReader = (picture: HTMLVideoElement | ImageBitmap) => Promise<readonly string[]>

type NativeDetector = { detect(source: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]> }
type NativeDetectorClass = {
  new (options: { formats: readonly string[] }): NativeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

/** Of IMEI labels, product codes and QR codes. */
const NATIVE_FORMATS = ['code_128', 'code_39', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'qr_code', 'data_matrix']
const WASM_FORMATS = ['Code128', 'Code39', 'EAN13', 'EAN8', 'UPCA', 'UPCE', 'QRCode', 'DataMatrix'] as const
/** More pixels take longer and read no more labels. */
const MAX_WIDTH = 1_600

/** The browser's own reader where it reads every format; otherwise ZXing, which is loaded on first use. */
export async function openBarcodeReader(): Promise<BarcodeReader> {
  return (await openNativeReader()) ?? openWasmReader()
}

async function openNativeReader(): Promise<BarcodeReader | null> {
  const Detector = (globalThis as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector
  const supported: readonly string[] = (await Detector?.getSupportedFormats().catch(() => [])) ?? []
  if (!Detector || !NATIVE_FORMATS.every((format) => supported.includes(format))) return null
  const detector = new Detector({ formats: NATIVE_FORMATS })
  return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue)
}

async function openWasmReader(): Promise<BarcodeReader> {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader')
  const locateFile = () => new URL(wasmPath, import.meta.url).href
  await prepareZXingModule({ overrides: { locateFile }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (picture) => {
    const [width, height] =
      picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]
    if (!context || width === 0) return []
    const scale = Math.min(1, MAX_WIDTH / width)
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const codes = await readBarcodes(context.getImageData(0, 0, canvas.width, canvas.height), {
      formats: [...WASM_FORMATS],
      tryHarder: true,
    })
    return codes.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
