import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { type BarcodeReader, openBarcodeReader } from './barcode-reader.ts'
import { chooseCode } from './scanned-codes.ts'

const SCAN_INTERVAL_MS = 150
/** Sharp enough for the narrow bars of an IMEI label. */
const CAMERA: MediaStreamConstraints = {
  video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
}

/** Browsers give pages the camera with HTTPS and on localhost only; a photo can be taken everywhere. */
const hasCamera = navigator.mediaDevices !== undefined

/**
 * Scans a barcode with the camera, or from a photo. Images stay in the browser; closing the dialog turns the camera off. A
 * valid IMEI is taken at once; other codes are offered while the camera looks for one.
 */
export function ScanDialog({ onCode, close }: { onCode: (code: string) => void; close: () => void }) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<'noCode' | 'unreadable'>()
  const [isCameraOn, setCameraOn] = useState(hasCamera)
  const [choices, setChoices] = useState<readonly string[]>([])
  const reader = useRef<Promise<BarcodeReader>>(null)
  const isDone = useRef(false)

  /** Returns how many codes were read. */
  async function readCodes(picture: HTMLVideoElement | ImageBitmap): Promise<number> {
    reader.current ??= openBarcodeReader()
    const read = await reader.current
    const codes = await read(picture)
    if (isDone.current || codes.length === 0) return codes.length
    const { imei, choices: found } = chooseCode(codes)
    if (imei) take(imei)
    else setChoices((before) => chooseCode([...before, ...found]).choices)
    return codes.length
  }
  function take(code: string) {
    isDone.current = true
    onCode(code)
  }
  async function readPhoto(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    if (!file) return
    setProblem(undefined)
    try {
      const count = await readCodes(await createImageBitmap(file))
      if (count === 0) setProblem('noCode')
    } catch {
      setProblem('unreadable')
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the camera once
  useEffect(() => {
    if (!hasCamera) return
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    isDone.current = false

    async function scan(): Promise<void> {
      const picture = video.current
      if (picture && picture.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) await readCodes(picture).catch(() => 0)
      if (!isDone.current) timer = setTimeout(scan, SCAN_INTERVAL_MS)
    }
    async function open(): Promise<void> {
      try {
        stream = await navigator.mediaDevices.getUserMedia(CAMERA)
        if (isDone.current || !video.current) return stop()
        video.current.srcObject = stream
        await video.current.play()
        await scan()
      } catch {
        setCameraOn(false)
      }
    }
    function stop(): void {
      clearTimeout(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    open()
    return () => {
      isDone.current = true
      stop()
    }
  }, [])

  return (
    <Dialog title={t('scan.title')} onClose={close}>
      {isCameraOn ? (
        <>
          <video ref={video} className="camera" muted playsInline aria-label={t('scan.image')} />
          <p className="hint">{t('scan.hint')}</p>
        </>
      ) : (
        <p>{t(hasCamera ? 'scan.blocked' : 'scan.needsHttps')}</p>
      )}
      <label className={isCameraOn ? 'button button-link' : 'button button-primary'}>
        {t(isCameraOn ? 'scan.usePhoto' : 'scan.takePhoto')}
        <input type="file" className="visually-hidden" accept="image/*" capture="environment" onChange={readPhoto} />
      </label>
      {problem ? <p role="alert">{t(`scan.${problem}`)}</p> : null}
      {choices.length > 0 ? (
        <fieldset className="scan-choices">
          <legend>{t('scan.which')}</legend>
          {choices.map((code) => (
            <Button key={code} onClick={() => take(code)}>
              {code}
            </Button>
          ))}
        </fieldset>
      ) : null}
    </Dialog>
  )
}
