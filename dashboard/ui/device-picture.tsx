/** A drawing of ours. Its address is absolute; only the path is used, so that it loads wherever the page was loaded. */
export function DevicePicture({ of, large = false }: { of: string; large?: boolean }) {
  const path = URL.canParse(of) ? new URL(of).pathname : of
  return (
    <img
      className={large ? 'picture picture-large' : 'picture'}
      src={path}
      alt=""
      width={96}
      height={96}
      loading="lazy"
    />
  )
}
