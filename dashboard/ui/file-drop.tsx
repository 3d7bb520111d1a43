import { type DragEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** File input with drag and drop. */
export function FileDrop({
  title,
  accept,
  take,
  children,
}: {
  title: string
  accept?: string
  take: (file: File | undefined) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const [isOver, setIsOver] = useState(false)
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <label
      className={isOver ? 'drop drop-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <strong>{title}</strong>
      <span className="muted">{children}</span>
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        onChange={(event) => take(event.target.files?.[0])}
      />
      <span className="button">{t('action.chooseFile')}</span>
    </label>
  )
}
