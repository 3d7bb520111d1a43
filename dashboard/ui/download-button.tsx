import type { ReactNode } from 'react'
import { downloadApi } from '../api.ts'
import type { ApiRequest, ApiRouteName } from '../endpoint-types.ts'
import { useApiMutation } from '../queries.ts'
import { Button, type ButtonProps } from './button.tsx'
import { ErrorMessage } from './states.tsx'

type DownloadButtonProps<R extends ApiRouteName> = {
  readonly route: R
  readonly request: ApiRequest<R>
  readonly variant?: ButtonProps['variant']
  readonly isDisabled?: boolean
  readonly children: ReactNode
}

/** Saves the file that an operation returns, such as a list with `format=csv`. */
export function DownloadButton<R extends ApiRouteName>({
  route,
  request,
  variant = 'plain',
  isDisabled = false,
  children,
}: DownloadButtonProps<R>) {
  const download = useApiMutation()
  return (
    <>
      <Button
        variant={variant}
        disabled={isDisabled}
        isBusy={download.isPending}
        onClick={() => download.mutate(() => downloadApi(route, request))}
      >
        {children}
      </Button>
      <ErrorMessage error={download.error} />
    </>
  )
}
