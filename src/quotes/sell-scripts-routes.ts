/** Scripts of the trade-in page. The page works without them; they are sent as they are written here. */

/** Search while typing, and the height for the website that shows the page in a frame. */
function enhancePage(): void {
  const input = document.querySelector<HTMLInputElement>('input[name=q]')
  const list = document.getElementById('devices')
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest = 0
  input?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const request = ++newest
      const query = new URLSearchParams({ q: input.value, lang: document.documentElement.lang })
      const response = await fetch(`${location.pathname}/devices?${query}`)
      if (response.ok && request === newest && list) list.innerHTML = await response.text()
    }, 200)
  })
  for (const form of document.querySelectorAll('form[method=post]'))
    form.addEventListener('submit', () => {
      for (const button of form.querySelectorAll('button')) setTimeout(() => button.setAttribute('disabled', ''))
    })
  if (parent === window) return
  const tellHeight = () => parent.postMessage({ tradeInHeight: document.documentElement.offsetHeight }, '*')
  new ResizeObserver(tellHeight).observe(document.documentElement)
  tellHeight()
}

/** In the website of a shop: `<script src=".../sell/SLUG/embed.js" async></script>` becomes the page in a frame. */
function embedPage(): void {
  const script = document.currentScript as HTMLScriptElement
  const source = new URL(script.src)
  const frame = document.createElement('iframe')
  frame.src = `${source.origin}${source.pathname.replace(/\/embed\.js$/, '')}${source.search}`
  frame.title = script.dataset.title ?? document.title
  frame.style.cssText = 'width:100%;height:700px;border:0'
  script.after(frame)
  addEventListener('message', ({ source: sender, origin, data }) => {
    const height = Number(data?.tradeInHeight)
    if (sender !== frame.contentWindow || origin !== source.origin || !(height > 0)) return
    frame.style.height = `${Math.min(height, 20000) + 2}px`
  })
}

export const pageScript = `(${enhancePage})()`
export const embedScript = `(${embedPage})()`
