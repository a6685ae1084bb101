package demo

import (
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/people/member"
)

// nation is a country by its number, with common names. Names have only letters, so that
// e-mail addresses can be made from them.
type nation struct {
	country     int64
	weight      int
	first, last []string
}

func names(s string) []string { return strings.Fields(s) }

var nations = []nation{
	{99, 26, names("Aarav Priya Rohan Ananya Vikram Sneha Karan Meera Arjun Divya Nikhil Kavya Rahul Pooja Sanjay Isha"), names("Sharma Patel Reddy Nair Gupta Iyer Singh Das Mehta Joshi Rao Kapoor Verma Menon Bose Kulkarni")},
	{161, 12, names("Chidi Amaka Tunde Ngozi Emeka Folake Ifeanyi Zainab Segun Adaeze Musa Bisi"), names("Okafor Adeyemi Balogun Eze Ibrahim Nwosu Okoro Bello Afolabi Obi Danjuma Uche")},
	{32, 11, names("Ana Bruno Camila Diego Eduarda Felipe Gabriela Hugo Isabela Joana Lucas Marina"), names("Silva Souza Oliveira Costa Pereira Almeida Ribeiro Carvalho Gomes Rocha Barbosa Lima")},
	{106, 9, names("Budi Citra Dewi Eko Fitri Gilang Hana Indra Joko Kartika Lestari Putri"), names("Santoso Wijaya Pratama Hidayat Nugroho Saputra Kusuma Siregar Utami Halim")},
	{175, 8, names("Angelo Bea Carlo Divina Ernesto Grace Jomar Liza Marco Nina Paolo Rosa"), names("Reyes Santos Cruz Bautista Garcia Mendoza Ramos Aquino Navarro Castillo")},
	{85, 7, names("Anna Ben Clara Felix Greta Hannes Jonas Klara Lena Max Paula Tim"), names("Becker Fischer Hoffmann Keller Krause Lehmann Neumann Richter Schulz Vogel Weber Wolf")},
	{177, 6, names("Agata Bartek Celina Damian Ewa Filip Hania Jakub Kasia Marek Ola Tomek"), names("Kowalski Nowak Wojcik Kaminska Lewandowski Zielinska Mazur Krawczyk Dudek Wilk")},
	{210, 6, names("Alba Carlos Elena Javier Lucia Manuel Nerea Pablo Raquel Sergio"), names("Torres Vega Romero Molina Ortega Delgado Marin Iglesias Cano Prieto")},
	{228, 5, names("Ahmet Burak Ceren Deniz Elif Fatma Hakan Kemal Leyla Murat"), names("Yilmaz Kaya Demir Celik Sahin Arslan Dogan Aydin Koc Polat")},
	{118, 4, names("Akinyi Baraka Chebet Juma Kamau Makena Njeri Otieno Wanjiku Zawadi"), names("Mwangi Odhiambo Kiprop Njoroge Mutua Wafula Kimani Achieng")},
	{235, 3, names("Alice Callum Emily George Harriet Jack Olivia Oscar"), names("Baker Clarke Davies Evans Hughes Lewis Turner Wright")},
	{242, 3, names("Anh Bao Chi Duc Hoa Khanh Linh Minh Ngoc Trang"), names("Nguyen Tran Pham Hoang Phan Dang Bui Ngo")},
}

// person is a member of the history. Balances are not tracked: a step that needs money
// follows a deposit.
type person struct {
	no       int64
	uid      string
	sponsor  *person
	side     int64 // 1 left, 2 right
	day      int   // of joining
	name     string
	email    string
	mobile   string
	country  int64
	drive    int // the weight for being chosen as sponsor
	directs  int
	invited  int  // day of the last invitation
	inLeader bool // in the leader's team
	paid     bool // has a payout address
}

// born makes a random member.
func (s *history) born(no int64) *person {
	total := 0
	for _, n := range nations {
		total += n.weight
	}
	at, pick := nations[0], s.rng.IntN(total)
	for _, n := range nations {
		if pick -= n.weight; pick < 0 {
			at = n
			break
		}
	}
	p := &person{no: no, uid: strconv.FormatInt(s.ids.At(no), 10), country: at.country}
	p.name = one(s, at.first) + " " + one(s, at.last)
	switch no { // those whom people meet
	case 1:
		p.name, p.country = "Helena Ostrowski", 177
	case leaderNo:
		p.name, p.country = "Amara Lindqvist", 161
	case ordinaryNo:
		p.name, p.country = "Daniel Moreau", 78
	}
	p.email = strings.ToLower(strings.ReplaceAll(p.name, " ", ".")) + "." + strconv.FormatInt(no, 10) + "@example.test"
	p.mobile = "9" + strconv.Itoa(100_000_000+s.rng.IntN(900_000_000))
	switch r := s.rng.IntN(100); {
	case r < 6:
		p.drive = 40
	case r < 26:
		p.drive = 6
	default:
		p.drive = 1
	}
	return p
}

// form returns the registration form. The password is not used: credentials are made
// separately.
func (p *person) form() member.RegistrationForm {
	f := member.RegistrationForm{
		Name: p.name, Position: strconv.FormatInt(p.side, 10), Email: p.email, Mobile: p.mobile,
		Country: strconv.FormatInt(p.country, 10), Password: "not stored",
	}
	if p.sponsor != nil {
		f.Sponsor = p.sponsor.uid
	}
	return f
}

// one returns a random item of a list.
func one[T any](s *history, of []T) T { return of[s.rng.IntN(len(of))] }
