import './scan/keyboard-scan.ts'
import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { type AroundNavHandler, Router } from 'wouter'
import { DashboardApp } from './app.tsx'
import { onReconnect, registerServiceWorker } from './connection.ts'
import { browserLanguage, showLanguage } from './i18n.ts'
import { queryClient } from './queries.ts'

/** Moves scroll position and focus to the top of a new page, but not when only a filter changed. */
const scrollToTop: AroundNavHandler = (navigate, to, options) => {
  navigate(to, options)
  if (options?.replace) return
  window.scrollTo(0, 0)
  document.getElementById('content')?.focus({ preventScroll: true })
}

const root = document.getElementById('app')
if (root) {
  await showLanguage(browserLanguage())
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <Router aroundNav={scrollToTop}>
        <DashboardApp />
      </Router>
    </QueryClientProvider>,
  )
}

onReconnect(() => void queryClient.invalidateQueries())
registerServiceWorker()
