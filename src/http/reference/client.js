// The behaviour of the reference page. Everything on it can be read without this file.

const byId = (id) => document.getElementById(id)

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const code = button.closest('figure')?.querySelector('code')
    try {
      await navigator.clipboard.writeText(code?.textContent ?? '')
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Press Ctrl+C'
      if (code) getSelection()?.selectAllChildren(code)
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

// Light and dark follow the system until a person chooses; the choice is kept on this device.
const root = document.documentElement
const kept = localStorage.getItem('theme')
if (kept) root.dataset.theme = kept
byId('theme')?.addEventListener('click', () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
})

const menu = byId('menu')
const side = byId('side')
menu?.addEventListener('click', () => {
  const open = side?.classList.toggle('open') ?? false
  menu.setAttribute('aria-expanded', String(open))
})
side?.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || !event.target.closest('a')) return
  side.classList.remove('open')
  menu?.setAttribute('aria-expanded', 'false')
})

// Requests are shown in the language that the reader chose last.
const languages = [...document.querySelectorAll('[data-language]')]
function choose(language) {
  root.dataset.language = language
  for (const button of languages) button.setAttribute('aria-pressed', String(button.dataset.language === language))
}
for (const group of document.querySelectorAll('.languages')) group.hidden = false
for (const button of languages) {
  button.addEventListener('click', () => {
    // What is above may grow or shrink; what was clicked stays where it is.
    const before = button.getBoundingClientRect().top
    choose(button.dataset.language)
    scrollBy(0, button.getBoundingClientRect().top - before)
    localStorage.setItem('language', button.dataset.language)
  })
}
const keptLanguage = localStorage.getItem('language')
choose(languages.some(({ dataset }) => dataset.language === keptLanguage) ? keptLanguage : 'curl')

// Everything that is written in a section can be searched for: names, descriptions, fields, examples.
const filter = byId('filter')
const written = new WeakMap()
function textOf(element) {
  if (!written.has(element)) written.set(element, element.textContent.toLowerCase())
  return written.get(element)
}
function search(words) {
  const entries = [...(side?.querySelectorAll('[data-entry]') ?? [])]
  for (const entry of entries) {
    const section = byId(entry.querySelector('a')?.getAttribute('href')?.slice(1) ?? '')
    const text = `${textOf(entry)} ${section ? textOf(section) : ''}`
    entry.hidden = !words.every((word) => text.includes(word))
    if (section?.dataset.filter !== undefined) section.hidden = entry.hidden
  }
  for (const title of side?.querySelectorAll('.nav-title') ?? []) {
    const list = title.nextElementSibling
    title.hidden = ![...(list?.children ?? [])].some((entry) => !entry.hidden)
  }
  for (const chapter of document.querySelectorAll('.chapter')) {
    chapter.hidden = ![...chapter.querySelectorAll('[data-filter]')].some((section) => !section.hidden)
  }
  const none = byId('filter-none')
  if (none) none.hidden = entries.some((entry) => !entry.hidden)
}
filter?.addEventListener('input', () => search(filter.value.toLowerCase().split(/\s+/).filter(Boolean)))
filter?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') side?.querySelector('[data-entry]:not([hidden]) a')?.click()
})
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select')
  if (event.key !== '/' || typing) return
  event.preventDefault()
  filter?.focus()
})

const inView = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue
      side?.querySelector('[aria-current]')?.removeAttribute('aria-current')
      side?.querySelector(`a[href="#${CSS.escape(entry.target.id)}"]`)?.setAttribute('aria-current', 'true')
    }
  },
  { rootMargin: '-10% 0px -80% 0px' },
)
for (const section of document.querySelectorAll('main section[id]')) inView.observe(section)

// A key is kept in these fields only. Typed once, it is copied to every form until the page is closed.
const keys = [...document.querySelectorAll('[data-key]')]
for (const key of keys) {
  key.addEventListener('input', () => {
    for (const other of keys) if (other !== key) other.value = key.value
  })
}

// A person signed in to the dashboard needs no key: without one, requests are made for their organization.
let organization = null
async function findOrganization() {
  const response = await fetch('/account/session')
  if (!response.ok) return
  organization = (await response.json()).data.organization
  if (!organization) return
  for (const key of keys) key.placeholder = `not needed: signed in to ${organization.name}`
  for (const note of document.querySelectorAll('[data-key-note]')) {
    note.textContent = `You are signed in: requests without a key are made for ${organization.name} with its ${organization.tier} tier. A key you enter is kept in this page only.`
  }
}
findOrganization().catch(() => {
  // Not signed in: the page asks for a key.
})

const part = (kind, text) => {
  const span = document.createElement('span')
  span.className = kind
  span.textContent = text
  return span
}

/** JSON in colours, made of text nodes only: nothing that the service sends can become markup. */
function paint(json) {
  const code = document.createElement('code')
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d[\d.eE+-]*)/g
  let at = 0
  for (const match of json.matchAll(token)) {
    code.append(json.slice(at, match.index))
    if (match[1] && match[2]) code.append(part('j-key', match[1]), match[2])
    else if (match[1]) code.append(part('j-str', match[1]))
    else if (match[3] === 'null') code.append(part('j-nil', match[3]))
    else code.append(part('j-num', match[0]))
    at = match.index + match[0].length
  }
  code.append(json.slice(at))
  return code
}

async function send(form, output) {
  const query = new URLSearchParams()
  for (const input of form.querySelectorAll('[data-query]')) {
    if (input.value !== '') query.set(input.dataset.query, input.value)
  }
  const key = form.querySelector('[data-key]').value.trim()
  const body = form.querySelector('[data-body]')
  const headers = {}
  if (key) headers.Authorization = `Bearer ${key}`
  // Without a key the session is used, which the service accepts from its own pages only.
  else headers['X-Requested-With'] = 'dashboard'
  if (body) headers['Content-Type'] = 'application/json'
  let path = form.dataset.path
  for (const input of form.querySelectorAll('[data-place]')) {
    path = path.replace(`{${input.dataset.place}}`, encodeURIComponent(input.value))
  }
  const address = `${path}${query.size > 0 ? `?${query}` : ''}`
  const began = performance.now()
  const response = await fetch(address, { method: form.dataset.method, headers, body: body?.value })
  const text = await response.text()
  const ms = Math.round(performance.now() - began)
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Shown as it came.
  }
  const status = part(`status status-${String(response.status)[0]}`, String(response.status))
  const left = response.headers.get('X-RateLimit-Remaining')
  const note = part('small', ` ${ms} ms${left === null ? '' : ` · ${left} requests left`}`)
  const line = document.createElement('p')
  line.append(status, note)
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.setAttribute('aria-label', 'Response')
  pre.append(paint(shown))
  output.replaceChildren(line, pre)
}

for (const form of document.querySelectorAll('[data-try]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const output = form.parentElement.querySelector('[data-response]')
    const button = form.querySelector('button')
    button.disabled = true
    try {
      await send(form, output)
    } catch (error) {
      output.replaceChildren(part('small', `The service could not be reached: ${error.message}`))
    }
    button.disabled = false
  })
}
