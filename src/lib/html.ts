type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Trusted HTML. Everything else is escaped. */
export type Markup = { readonly html: string }

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

type Slot = Markup | string | number | null | undefined | false | readonly Slot[]

function render(slot: Slot): string {
  if (slot === null || slot === undefined || slot === false) return ''
  if (typeof slot === 'string') return escapeHtml(slot)
  if (typeof slot === 'number') return String(slot)
  if (Array.isArray(slot)) return slot.map(render).join('')
  return (slot as Markup).html
}

/** Tagged template: escapes text, keeps `Markup`, joins lists, skips null and false. */
export function html(parts: TemplateStringsArray, ...slots: Slot[]): Markup {
  return { html: parts.map((part, index) => part + render(slots[index])).join('') }
}

export const emptyMarkup: Markup = { html: '' }

/** Renders the Markdown that descriptions use: `code`, **strong** and paragraphs. */
export function proseMarkup(text: string): Markup {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${inlineMarkup(paragraph).html}</p>`)
  return { html: paragraphs.join('') }
}

export function inlineMarkup(text: string): Markup {
  const marked = escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  return { html: marked }
}

/** Formats JSON with syntax highlighting; short lists of plain values stay on one line. */
export function jsonMarkup(value: JsonValue, indent = ''): Markup {
  return { html: jsonHtml(value, indent) }
}

function jsonHtml(value: JsonValue, indent: string): string {
  if (value === null) return '<span class="j-nil">null</span>'
  if (typeof value === 'string') return `<span class="j-str">${escapeHtml(JSON.stringify(value))}</span>`
  if (typeof value !== 'object') return `<span class="j-num">${String(value)}</span>`
  const deeperIndent = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const isFlat = value.every((item) => item === null || typeof item !== 'object')
    if (isFlat && JSON.stringify(value).length < 64) return `[${value.map((item) => jsonHtml(item, '')).join(', ')}]`
    return `[\n${value.map((item) => deeperIndent + jsonHtml(item, deeperIndent)).join(',\n')}\n${indent}]`
  }
  const fields = Object.entries(value)
  if (fields.length === 0) return '{}'
  const lines = fields.map(
    ([name, field]) =>
      `${deeperIndent}<span class="j-key">${escapeHtml(JSON.stringify(name))}</span>: ${jsonHtml(field, deeperIndent)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent}}`
}
