import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scalePhoto } from '../scale-image.ts'

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

/** Small pictures of photos; one is removed with its button. */
export function PhotoList({
  photos,
  remove,
}: {
  photos: readonly { readonly image: string; readonly label: string }[]
  remove?: (index: number) => void
}) {
  const { t } = useTranslation()
  if (photos.length === 0) return null
  return (
    <ul className="photos">
      {photos.map(({ image, label }, index) => (
        <li key={image}>
          <img src={image} alt={label} />
          {remove ? (
            <button type="button" aria-label={t('action.removeNamed', { name: label })} onClick={() => remove(index)}>
              ×
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
