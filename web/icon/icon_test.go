package icon

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "draw the files in web/icons again")

const folder = "../icons"

func TestVectorFileIsTheDrawing(t *testing.T) {
	file := filepath.Join(folder, "icon.svg")
	if *update {
		write(t, file, SVG())
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(SVG()), string(got)); diff != "" {
		t.Errorf("%s (renew it with -update):\n%s", file, diff)
	}
}

// Pixels are compared, not bytes: another Go version may compress otherwise.
func TestPixelFilesAreTheDrawing(t *testing.T) {
	for name, c := range map[string]struct {
		size  int
		style Style
	}{
		"icon-192.png":     {192, Tile},
		"icon-512.png":     {512, Tile},
		"maskable-512.png": {512, Bleed},
		"apple-180.png":    {180, Bleed},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(folder, name)
			if *update {
				b, err := PNG(c.size, c.style)
				if err != nil {
					t.Fatal(err)
				}
				write(t, file, b)
			}
			if got, want := read(t, file), Draw(c.size, c.style); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s is not what Draw(%d, %d) draws: renew it with -update", file, c.size, c.style)
			}
		})
	}
}

// A platform may cut a maskable icon down to the middle four fifths.
func TestMaskableKeepsTheMarkInsideTheSafeCircle(t *testing.T) {
	const size = 256
	img := Draw(size, Bleed)
	for y := range size {
		for x := range size {
			dx, dy := float64(x)-size/2, float64(y)-size/2
			if c := img.NRGBAAt(x, y); dx*dx+dy*dy > 0.4*0.4*size*size && (c.R != ground.R || c.A != 255) {
				t.Fatalf("pixel %d, %d outside the safe circle is %v, want the ground", x, y, c)
			}
		}
	}
}

func write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) *image.NRGBA {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	img := image.NewNRGBA(decoded.Bounds())
	draw.Draw(img, img.Bounds(), decoded, image.Point{}, draw.Src)
	return img
}
