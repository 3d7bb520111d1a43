import { Link } from 'wouter'
import { EmptyState, PageHeader } from '../../ui/basics.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState title="There is nothing at this address">
        <p>
          It may have been mistyped, or it belongs to another organization.{' '}
          <Link to="/dashboard">Back to the overview</Link>
        </p>
      </EmptyState>
    </>
  )
}
