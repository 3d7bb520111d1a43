import { useConnectionLost } from '../connection.ts'
import { Button } from './button.tsx'
import { EmptyState } from './states.tsx'

/** Shown in place of the pages when they are opened without a connection. */
export function OfflineMessage({ onRetry }: { onRetry: () => unknown }) {
  return (
    <div role="alert">
      <EmptyState title="No connection to the service">
        <p>
          Check Wi-Fi, and that the service is running. This page continues when the connection is back. An unfinished
          appraisal is kept on this device.
        </p>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </EmptyState>
    </div>
  )
}

/** Shown above a page while the connection is lost. */
export function OfflineBanner() {
  const isLost = useConnectionLost()
  return (
    <div role="status">
      {isLost ? (
        <p className="banner">
          No connection to the service. Your entries stay on this page; amounts may be out of date.
        </p>
      ) : null}
    </div>
  )
}
