// Runs in the head before the first paint, so that the page never flashes in the other mode. It is
// a classic script (see vite/first-paint.ts). Its keys and values must equal those of mode.ts,
// language.ts and session.ts; tests compare them.
const read = (from) => {
  try {
    return from()
  } catch {
    return undefined // Cookies or storage are blocked: the system's preference decides.
  }
}

// As lib/choices.ts keeps it.
const chosen = (name) =>
  read(() => document.cookie.split('; ').find((text) => text.startsWith(`${name}=`)))?.slice(
    name.length + 1,
  )

const language = () =>
  new URLSearchParams(location.search).get('lang') ?? chosen('bifolia.language') ?? 'en'

const choice = chosen('bifolia.theme')
if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice

// Operators choose these colours; the theme has all others.
const paintBrand = () => {
  const { light, dark } = JSON.parse(document.getElementById('brand').textContent).site.colours
  const rule = (colours) =>
    `--fill-primary: ${colours.primary}; --fill-primary-hover: ${colours.primary_hover}; ` +
    `--on-primary: ${colours.on_primary}; --text-link: ${colours.link};`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    `:root { ${rule(light)} }
    @media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${rule(dark)} } }
    :root[data-theme='dark'] { ${rule(dark)} }`,
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

// In another font the same text has another size, and everything would move when the font arrives.
const font = () => {
  const link = document.querySelector('link[as=font]')
  if (!link) return undefined
  const face = new FontFace('Public Sans Variable', `url(${link.href})`, { weight: '100 900' })
  const loaded = face.load().then(
    () => document.fonts.add(face),
    () => undefined,
  )
  return Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 400))])
}

// The page contains its screen as it renders before any request, in English. It is shown until the
// app renders its own. The policy forbids styles in markup, but not styles set by script.
const paintShell = async () => {
  const shell = document.getElementById('shell')
  if (!shell || language() !== 'en') return
  const session = read(() => sessionStorage.getItem('bifolia.session'))
  const signedIn = session?.includes('"isAuth":true')
  if ('member' in shell.dataset && !signedIn) return
  await font()
  // As the kit does once it has loaded.
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches
  const mode = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light')
  document.documentElement.dataset.mantineColorScheme = mode
  const screen = shell.content.cloneNode(true)
  for (const element of screen.querySelectorAll('[data-style]')) {
    element.style.cssText = element.dataset.style
  }
  document.getElementById('root').append(screen)
}

// The page is parsed and the app, whose scripts wait for that, has not started. The app waits for
// this.
document.addEventListener('readystatechange', () => {
  if (document.readyState !== 'interactive') return
  paintBrand()
  window.shellPainted = paintShell()
})
