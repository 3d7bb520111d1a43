import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scalePhoto } from '../scale-image.ts'
import { Dialog } from './dialog.tsx'

/** A button that takes a photo with the camera of a phone or tablet, or chooses a picture on a computer. */
export function PhotoButton({
  label,
  isDisabled = false,
  add,
}: {
  label: string
  isDisabled?: boolean
  /** Gets the photo, scaled down, as a data URL. */
  add: (image: string) => void
}) {
  const { t } = useTranslation()
  const [isUnreadable, setUnreadable] = useState(false)
  async function take(file: File | undefined) {
    if (!file) return
    try {
      add(await scalePhoto(file))
      setUnreadable(false)
    } catch {
      setUnreadable(true)
    }
  }
  return (
    <div>
      <label className="button button-plain file-button">
        {label}
        <input
          className="visually-hidden"
          type="file"
          accept="image/*"
          capture="environment"
          disabled={isDisabled}
          onChange={(event) => {
            void take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </label>
      {isUnreadable ? (
        <p className="field-error" role="alert">
          {t('photo.unreadable')}
        </p>
      ) : null}
    </div>
  )
}

type Photo = { readonly image: string; readonly label: string }

/** Small pictures of photos; one is enlarged by a click and removed with its button. Labels are unique. */
export function PhotoList({ photos, remove }: { photos: readonly Photo[]; remove?: (index: number) => void }) {
  const { t } = useTranslation()
  const [enlarged, setEnlarged] = useState<Photo | null>(null)
  if (photos.length === 0) return null
  return (
    <>
      <ul className="photos">
        {photos.map((photo, index) => (
          <li key={photo.label}>
            <button type="button" className="photo" onClick={() => setEnlarged(photo)}>
              <img src={photo.image} alt={photo.label} />
            </button>
            {remove ? (
              <button
                type="button"
                className="photo-remove"
                aria-label={t('action.removeNamed', { name: photo.label })}
                onClick={() => remove(index)}
              >
                ×
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {enlarged ? (
        <Dialog title={enlarged.label} onClose={() => setEnlarged(null)}>
          <img className="photo-enlarged" src={enlarged.image} alt={enlarged.label} />
        </Dialog>
      ) : null}
    </>
  )
}
