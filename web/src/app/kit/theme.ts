import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineTheme,
} from '@mantine/core'

/** The kit wants ten shades of a colour; the theme has two, which change with the mode. */
const brand = Array.from(
  { length: 10 },
  () => 'var(--fill-primary)',
) as unknown as MantineColorsTuple

/** As data: `Modal.extend` would add the modal's code to every page. */
const components: MantineTheme['components'] = {
  Anchor: { defaultProps: { underline: 'always' } },
  // Below the toasts, which must not hide a dialog's title and its Close.
  Modal: { defaultProps: { lockScroll: false, centered: true, yOffset: '4.5rem' } },
  Drawer: { defaultProps: { lockScroll: false } },
  // The page already has a banner landmark.
  ModalHeader: { defaultProps: { role: 'presentation' } },
  DrawerHeader: { defaultProps: { role: 'presentation' } },
}

/**
 * Defaults of the kit that variables cannot set (mantine.css). `lockScroll` is off because it
 * injects a style element; mantine.css does the same.
 */
export const kitTheme = createTheme({
  primaryColor: 'brand',
  colors: { brand },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'never', // global.css has one for everything
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    if (input.variant !== 'filled' || (input.color && input.color !== 'brand')) {
      return defaultVariantColorsResolver(input)
    }
    return {
      background: 'var(--fill-primary)',
      hover: 'var(--fill-primary-hover)',
      color: 'var(--on-primary)',
      border: '1px solid transparent',
    }
  },
  components,
})
