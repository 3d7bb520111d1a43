import { type PointerEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'

const WIDTH = 640
const HEIGHT = 200
const INK = '#0e141a'

/** A signature drawn with finger, pen or mouse, as a PNG. It is drawn on white in either theme. */
export function SignaturePad({
  label,
  value,
  change,
}: {
  label: string
  /** Data URL; null if nothing is drawn. */
  value: string | null
  change: (value: string | null) => void
}) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  // What was drawn before the form was closed is shown again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: afterwards the canvas itself has what is drawn
  useEffect(() => {
    if (value === null) return
    const image = new Image()
    image.onload = () => canvas.current?.getContext('2d')?.drawImage(image, 0, 0)
    image.src = value
  }, [])

  function placeOf(event: PointerEvent<HTMLCanvasElement>): [number, number] {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    return [((event.clientX - left) * WIDTH) / width, ((event.clientY - top) * HEIGHT) / height]
  }
  function begin(event: PointerEvent<HTMLCanvasElement>) {
    const pen = event.currentTarget.getContext('2d')
    if (!pen) return
    event.currentTarget.setPointerCapture(event.pointerId)
    Object.assign(pen, { strokeStyle: INK, lineWidth: 4, lineCap: 'round', lineJoin: 'round' })
    pen.beginPath()
    pen.moveTo(...placeOf(event))
  }
  function draw(event: PointerEvent<HTMLCanvasElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const pen = event.currentTarget.getContext('2d')
    pen?.lineTo(...placeOf(event))
    pen?.stroke()
  }
  const end = (event: PointerEvent<HTMLCanvasElement>) => change(event.currentTarget.toDataURL('image/png'))
  function clear() {
    canvas.current?.getContext('2d')?.clearRect(0, 0, WIDTH, HEIGHT)
    change(null)
  }
  return (
    <div className="field">
      <div className="field-head">
        <span>{label}</span>
        {value === null ? null : (
          <Button variant="link" onClick={clear}>
            {t('action.clear')}
          </Button>
        )}
      </div>
      <canvas
        ref={canvas}
        className="signature"
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={label}
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
      />
    </div>
  )
}
