type UploadCheckProps = { label: string; checked: boolean; onChange: (isChecked: boolean) => void }

export function UploadCheck({ label, checked, onChange }: UploadCheckProps) {
  return (
    <label className="upload-check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
