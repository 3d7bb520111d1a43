import { useEffect, useRef, useState } from 'react'
import { Dialog } from './dialog.tsx'

type CodeDetector = { detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
type CodeDetectorClass = new (options?: { formats: readonly string[] }) => CodeDetector

const FORMATS = ['code_128', 'code_39', 'ean_13', 'qr_code', 'data_matrix'] as const
const SCAN_INTERVAL_MS = 200

/** Native barcode detector; not available in every browser. */
const detectorClass = (): CodeDetectorClass | undefined =>
  (window as unknown as { BarcodeDetector?: CodeDetectorClass }).BarcodeDetector

/** Whether this browser can scan barcodes. The camera needs TLS. */
export const canScan = detectorClass() !== undefined && navigator.mediaDevices !== undefined

/** Scans a barcode with the camera. Images stay in the browser; closing the dialog turns the camera off. */
export function ScanDialog({ onCode, close }: { onCode: (code: string) => void; close: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [trouble, setTrouble] = useState('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the camera once
  useEffect(() => {
    const Detector = detectorClass()
    if (!Detector) return
    const detector = new Detector({ formats: FORMATS })
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let isOver = false

    async function look(): Promise<void> {
      const picture = video.current
      if (!picture || picture.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
      const [found] = await detector.detect(picture).catch(() => [])
      if (!found || isOver) return
      isOver = true
      onCode(found.rawValue.trim())
    }
    async function open(): Promise<void> {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
        if (isOver || !video.current) return stop()
        video.current.srcObject = stream
        await video.current.play()
        timer = setInterval(look, SCAN_INTERVAL_MS)
      } catch {
        setTrouble('The camera is not available. Type the identifier instead.')
      }
    }
    function stop(): void {
      clearInterval(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    open()
    return () => {
      isOver = true
      stop()
    }
  }, [])

  return (
    <Dialog title="Scan barcode" onClose={close}>
      {trouble ? (
        <p role="alert">{trouble}</p>
      ) : (
        <>
          <video ref={video} className="scan" muted playsInline aria-label="Camera image" />
          <p className="hint">Point the camera at the IMEI barcode on the box or on the *#06# screen.</p>
        </>
      )}
    </Dialog>
  )
}
